// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/base/error.hpp>
#include <genten/base/option_field.hpp>
#include <genten/cp/losses/any_loss.hpp>

#include <limits>

namespace genten {

std::string LossFacts::text() const {
  if (!given_as.empty()) return given_as;
  return parameter_name.empty() ? name : name + "(" + number_text(parameter) + ")";
}

std::vector<std::string> loss_names() {
  std::vector<std::string> names;
  LossList::for_each([&]<class L>() { names.emplace_back(L::name); });
  return names;
}

void AnyLoss::refuse_parameter(const LossFacts& facts, std::string_view expected) {
  const std::string what =
      "a parameter " + facts.parameter_name + " that is " + std::string(expected);
  const std::string got = number_text(facts.parameter);
  throw Error(
      Error::Fields{.code = Error::Code::option_value,
                    .expected = what,
                    .found = got,
                    .complaint = "loss " + facts.name + ": expected " + what + ", got " + got});
}

AnyLoss::AnyLoss(const BlockLoss& loss)
    : m_facts(loss.facts),
      m_kernel(
          nullptr,
          [](const void* at, double x, double m) {
            double to = 0.0;
            static_cast<const BlockLoss*>(at)->value(&x, &m, &to, 1);
            return to;
          },
          [](const void* at, double x, double m) {
            double to = 0.0;
            static_cast<const BlockLoss*>(at)->slope(&x, &m, &to, 1);
            return to;
          }),
      m_blocks(std::make_shared<const BlockLoss>(loss)) {
  m_kernel.lies_at(m_blocks.get());
}

double AnyLoss::deviance(double x, double m) const {
  if (!m_least) return std::numeric_limits<double>::quiet_NaN();
  const double above = value(x, m) - m_least(x);
  // What is added to m in logarithms may take the difference below 0.
  return above <= 0.0 ? 0.0 : scales() ? above : 2.0 * above;
}

double AnyLoss::variance(double mean) const {
  return m_variance ? m_variance(mean) : std::numeric_limits<double>::quiet_NaN();
}

AnyLoss AnyLoss::scaled(double c) const {
  AnyLoss loss = m_scaled(c);
  loss.m_facts.given_as = m_facts.text();
  return loss;
}

AnyLoss AnyLoss::named(std::string_view name, std::optional<double> parameter) {
  std::optional<AnyLoss> found;
  LossList::for_each([&]<class L>() {
    if (L::name != name) return;
    if constexpr (loss_requirements::HasParameter<L>) {
      found = AnyLoss(L{parameter.value_or(L::parameter.otherwise)});
    } else {
      if (parameter) {
        throw Error("loss " + std::string(name) + ": it has no parameter, got " +
                    number_text(*parameter));
      }
      found = AnyLoss(L{});
    }
  });
  if (found) return *found;
  std::string known;
  for (const std::string& each : loss_names()) known += (known.empty() ? "" : ", ") + each;
  throw Error("expected a loss out of " + known + "; got " + std::string(name));
}

}  // namespace genten
