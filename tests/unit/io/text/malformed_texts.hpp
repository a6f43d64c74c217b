// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Texts that are no tensors, and what a reader says about them.

#include <iterator>
#include <ostream>
#include <string_view>

namespace genten::test {

struct Malformed {
  const char* name;
  std::string_view content;
  const char* message;  // part of it, after the path
};

inline std::ostream& operator<<(std::ostream& out, const Malformed& row) {
  return out << row.name;
}

using std::string_view_literals::operator""sv;

inline const Malformed malformed_texts[] = {
    // Fields of an entry.
    {"too_few_fields", "1 1 1 1\n2 2 2\n",
     ":2: expected 4 fields (3 subscripts and a value), got 3"},
    {"too_many_fields", "1 1 1 1\n2 2 2 2 2\n",
     ":2: expected 4 fields (3 subscripts and a value), got 5"},
    {"one_field", "1 1 1 1\n5\n1 1 2 1\n",
     ":2: expected 4 fields (3 subscripts and a value), got 1"},
    {"cut_in_subscripts", "1 1 1 1\n2 2",
     ":2: expected 4 fields (3 subscripts and a value), got 2"},
    {"comment_hides_value", "1 1 1 1\n2 2 2 # 5\n",
     ":2: expected 4 fields (3 subscripts and a value), got 3"},
    {"slash_alone_is_no_comment", "1 1 1 1\n2 2 2 5 / x\n",
     ":2: expected 4 fields (3 subscripts and a value), got 6"},
    {"error_after_comments", "# a\n\n1 1 1 1\n% b\n\n2 2\n", ":6: expected 4 fields"},
    {"error_after_crlf", "1 1 1\r\n2 2 2\r\n3 3\r\n",
     ":3: expected 3 fields (2 subscripts and a value), got 2"},
    {"first_of_two_errors", "1 1 1\n2 x 2\n3 3\n",
     ":2: expected a subscript in mode 2, got 'x', which is not a number"},
    {"comma_separated", "1 1 1\n2,2,2\n",
     ":2: expected 3 fields (2 subscripts and a value), got 1"},
    {"commas_and_blanks", "1 1 1\n1, 2, 2\n",
     ":2: expected a subscript in mode 1, got '1,', which is not a number: blanks separate "
     "fields, not commas"},
    {"semicolons_and_blanks", "1 1 1\n2; 2; 1\n",
     ":2: expected a subscript in mode 1, got '2;', which is not a number: blanks separate "
     "fields, not semicolons"},
    {"commas_alone", "1,1,2.5\n",
     ":1: expected an entry, the order or the word sptensor, got '1,1,2.5': blanks separate "
     "fields, not commas"},
    {"semicolons_alone", "1;1;2.5\n",
     ":1: expected an entry, the order or the word sptensor, got '1;1;2.5': blanks separate "
     "fields, not semicolons"},
    {"comma_at_the_end", "1 1 2.5,\n",
     ":1: expected a number as the value, got '2.5,': blanks separate fields, not commas"},
    {"two_lines_in_one", "1 1 1\n2 2 2 3 3 3\n",
     ":2: expected 3 fields (2 subscripts and a value), got 6"},
    {"old_mac_line_ends", "1 1 1\r2 2 2\r", ":1: "},
    {"carriage_return_inside", "1 1 1\n1 2 3\r4\n",
     ":2: expected a number as the value, got '3\\x0d4'"},
    {"carriage_return_in_front", "1 1 1\n\r1 2 3\n",
     ":2: expected a subscript in mode 1, got '\\x0d1'"},

    // Subscripts.
    {"zero_subscript", "1 1 1\n2 0 2\n",
     ":2: subscript 0 in mode 2, but subscripts count from 1 here: if those of this file count "
     "from 0, read it with index-base 0"},
    {"zero_in_first_line", "0 1 1\n2 1 2\n",
     ":1: subscript 0 in mode 1, but subscripts count from 1"},
    {"zero_in_sptensor", "sptensor\n2\n3 3\n2\n0 0 1\n1 1 1\n",
     ":5: subscript 0 in mode 1, but subscripts count from 1"},
    {"negative_subscript", "1 1 1\n2 -1 2\n",
     ":2: negative subscript '-1' in mode 2: the smallest is 1"},
    {"fractional_subscript", "1 1 1\n1.5 2 2\n",
     ":2: expected a subscript in mode 1 as a whole number in plain digits, got '1.5'"},
    {"subscript_with_exponent", "1 1 1\n1e3 2 2\n",
     ":2: expected a subscript in mode 1 as a whole number in plain digits, got '1e3'"},
    {"subscript_as_float", "1 1 1\n1 2.0 2\n",
     ":2: expected a subscript in mode 2 as a whole number in plain digits, got '2.0'"},
    {"subscript_with_plus", "1 1 1\n+2 2 2\n", ":2: expected a subscript in mode 1"},
    {"subscript_not_a_number", "1 1 1\n2 two 2\n",
     ":2: expected a subscript in mode 2, got 'two', which is not a number"},
    {"subscript_nan", "1 1 1\n2 nan 2\n",
     ":2: expected a subscript in mode 2, got 'nan', which is not a number"},
    {"subscript_hexadecimal", "1 1 1\n2 0x2 2\n", ":2: expected a subscript in mode 2, got '0x2'"},
    {"subscript_too_large_for_32_bits", "1 1 1\n4294967296 1 2\n",
     ":2: subscript 4294967296 in mode 1 is too large for 32-bit ordinals: use 64-bit ones"},
    {"subscript_of_20_digits", "1 1 1\n99999999999999999999 1 2\n",
     ":2: subscript 99999999999999999999 in mode 1 is too large for 32-bit ordinals"},
    {"subscript_of_40_digits", "1 1 1\n1 1111111111111111111111111111111111111111 2\n",
     ":2: subscript 1111111111111111111111111111111111111111 in mode 2 is too large"},
    {"subscript_beyond_dimension", "2\n3 4\n2\n1 1 1\n1 5 1\n",
     ":5: subscript 5 in mode 2 is out of range: the dimension is 4, says the header in line 2"},
    {"subscript_beyond_dimension_of_two_lines", "2\n3 4\n1 1 1\n4 1 1\n",
     ":4: subscript 4 in mode 1 is out of range: the dimension is 3, says the header in line 2"},
    {"entry_in_empty_mode", "2\n3 0\n1\n1 1 1\n",
     ":4: subscript 1 in mode 2 is out of range: the dimension is 0"},

    // Values.
    {"value_not_a_number", "1 1 1\n2 2 abc\n", ":2: expected a number as the value, got 'abc'"},
    {"value_with_rest", "1 1 1\n2 2 1.5x\n", ":2: expected a number as the value, got '1.5x'"},
    {"value_with_comma", "1 1 1\n2 2 1,5\n", ":2: expected a number as the value, got '1,5'"},
    {"value_of_two_points", "1 1 1\n2 2 1.2.3\n",
     ":2: expected a number as the value, got '1.2.3'"},
    {"value_sign_alone", "1 1 1\n2 2 -\n", ":2: expected a number as the value, got '-'"},
    {"value_two_signs", "1 1 1\n2 2 +-1\n", ":2: expected a number as the value, got '+-1'"},
    {"value_point_alone", "1 1 1\n2 2 .\n", ":2: expected a number as the value, got '.'"},
    {"value_hexadecimal", "1 1 1\n2 2 0x10\n", ":2: expected a number as the value, got '0x10'"},
    {"value_fortran", "1 1 1\n2 2 1.0D+00\n", ":2: expected a number as the value, got '1.0D+00'"},
    {"value_empty_exponent", "1 1 1\n2 2 1ex\n", ":2: expected a number as the value, got '1ex'"},
    {"value_nan", "1 1 1\n2 2 nan\n", ":2: the value 'nan' is not finite"},
    {"value_infinite", "1 1 1\n2 2 -inf\n", ":2: the value '-inf' is not finite"},
    {"value_infinity", "1 1 1\n2 2 Infinity\n", ":2: the value 'Infinity' is not finite"},
    {"value_overflows", "1 1 1\n2 2 1e999\n",
     ":2: the value '1e999' is not finite in double precision"},
    {"value_with_null_byte", "1 1 1\n2 2 1\0\n"sv,
     ":2: expected a number as the value, got '1\\x00'"},
    {"value_long_garbage",
     "1 1 1\n2 2 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
     ":2: expected a number as the value, got 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"},
    {"value_of_percent", "1 1 1\n2 2 50%\n", ":2: expected a number as the value, got '50%'"},
    {"value_before_percent", "1 1 1\n2 2 50%c %d\n",
     ":2: expected a number as the value, got '50%c'"},
    {"subscript_of_percent", "1 1 1\n2% 2 50\n",
     ":2: expected a subscript in mode 1, got '2%', which is not a number"},
    {"first_value_of_percent", "2 2 50%\n1 1 1\n", ":1: expected a number as the value, got '50%'"},
    {"binary_garbage", "\x89PNG\r\n\x1a\n\0\0\0"sv,
     ":1: expected an entry, the order or the word sptensor, got '\\x89PNG'"},

    // Headers.
    {"order_zero", "0\n\n", ":1: expected an order from 1 to 16, got 0"},
    {"order_too_large", "17\n1 1\n", ":1: expected an order from 1 to 16, got 17"},
    {"order_too_large_without_header", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n",
     ":1: expected an order from 1 to 16, got 17"},
    {"order_negative", "-3\n4 3 2\n",
     ":1: expected an entry, the order or the word sptensor, got '-3'"},
    {"order_fractional", "3.0\n4 3 2\n",
     ":1: expected an entry, the order or the word sptensor, got '3.0'"},
    {"order_disagrees", "3\n4 3\n1\n1 1 1\n",
     ":2: the header disagrees with itself: expected 3 dimensions, as many as the order, got 2 "
     "fields"},
    {"order_line_is_a_cut_entry", "1\n2 2 2\n",
     ":2: the header disagrees with itself: expected 1 dimension"},
    {"order_disagrees_with_entries", "3\n4 3 2\n1\n1 1 1\n",
     ":4: expected 4 fields (3 subscripts and a value), got 3"},
    {"dimension_negative", "2\n4 -3\n1\n1 1 1\n",
     ":2: expected dimension 2 as a whole number, got '-3'"},
    {"dimension_fractional", "2\n4.5 3\n1\n1 1 1\n",
     ":2: expected dimension 1 as a whole number, got '4.5'"},
    {"dimension_word", "2\nfour 3\n1\n1 1 1\n",
     ":2: expected dimension 1 as a whole number, got 'four'"},
    {"dimension_of_21_digits", "2\n100000000000000000000 3\n1\n1 1 1\n",
     ":2: expected dimension 1 as a whole number"},
    {"dimension_too_large_for_32_bits", "2\n4 4294967296\n1\n1 1 1\n",
     ":2: dimension 4294967296 of mode 2 is too large for 32-bit ordinals"},
    {"nonzeros_negative", "2\n4 3\n-1\n1 1 1\n",
     ":3: expected the number of nonzeros as a whole number, got '-1'"},
    {"nonzeros_fractional", "2\n4 3\n1.5\n1 1 1\n",
     ":3: expected the number of nonzeros as a whole number, got '1.5'"},
    {"fewer_entries", "2\n4 3\n3\n1 1 1\n2 2 2\n",
     ":5: truncated: the header in line 3 says 3 nonzeros, but the file ends after 2"},
    {"no_entries", "2\n4 3\n3\n",
     ":3: truncated: the header in line 3 says 3 nonzeros, but the file ends after 0"},
    {"more_entries", "2\n4 3\n1\n1 1 1\n# c\n2 2 2\n",
     ":6: the header in line 3 says 1 nonzero, but there are 2"},
    {"more_entries_than_none", "2\n4 3\n0\n1 1 1\n",
     ":4: the header in line 3 says 0 nonzeros, but there are 1"},
    {"huge_number_of_nonzeros", "2\n4 3\n18446744073709551615\n1 1 1\n",
     ":4: truncated: the header in line 3 says 18446744073709551615 nonzeros"},
    {"header_ends_after_order", "3\n", ":1: truncated: the file ends where the dimensions"},
    {"header_ends_after_dimensions", "3\n4 3 2\n",
     ":2: truncated: neither a number of nonzeros nor entries follow"},
    {"dimensions_header_disagrees", "4 3\n2\n1 1 1\n",
     ":3: truncated: the header in line 2 says 2 nonzeros, but the file ends after 1"},
    {"dimensions_header_out_of_range", "4 3\n1\n5 1 1\n",
     ":3: subscript 5 in mode 1 is out of range: the dimension is 4, says the header in line 1"},
    {"ambiguous_one_line_header", "4 3 4\n1 1 1\n2 2 1\n3 3 1\n4 1 1\n", ":1: ambiguous"},
    {"sptensor_alone", "sptensor\n", ":1: truncated: the file ends where the order should follow"},
    {"sptensor_without_dimensions", "sptensor\n3\n# c\n",
     ":3: truncated: the file ends where the dimensions should follow"},
    {"sptensor_without_nonzeros", "sptensor\n3\n4 3 2\n",
     ":3: truncated: the file ends where the number of nonzeros should follow"},
    {"sptensor_nonzeros_missing", "sptensor\n3\n4 3 2\n1 1 1 1\n",
     ":4: expected the number of nonzeros alone in this line, got 4 fields"},
    {"sptensor_order_with_dimensions", "sptensor\n3 4 3 2\n1\n",
     ":2: expected the order alone in this line, got 4 fields"},
    {"sptensor_with_more_words", "sptensor of order 3\n",
     ":1: expected the word sptensor alone in this line"},
    {"sptensor_truncated", "sptensor\n2\n4 3\n3\n1 1 1\n2 2",
     ":6: expected 3 fields (2 subscripts and a value), got 2"},
    {"a_model", "ktensor\n3\n", ":1: expected a sparse tensor, got a model"},
    {"a_dense_tensor", "tensor\n3\n", ":1: expected a sparse tensor, got a file of type 'tensor'"},
    {"a_word", "hello\n", ":1: expected an entry, the order or the word sptensor, got 'hello'"},
    {"words", "hello world\n",
     ":1: expected a subscript in mode 1, got 'hello', which is not a number"},
    {"markup", "<!DOCTYPE html>\n<html>\n", ":1: expected a subscript in mode 1, got '<!DOCTYPE'"},

    // The file as a whole.
    {"empty", "", ": the file is empty"},
    {"one_line_end", "\n", ": the file holds no entries"},
    {"blanks_alone", "  \n\t\n", ": the file holds no entries"},
    {"comments_alone", "# a\n% b\n// c", ": the file holds no entries"},
    {"gzip_cut_in_magic", "\x1f\x8b"sv, ": truncated: the compressed data end too early"},
    {"gzip_damaged", "\x1f\x8b\x08\0\0\0\0\0\0\3\xff\xff\xff\xff\xff\xff"sv,
     ": damaged compressed data"},
    {"zstd_cut_after_magic", "\x28\xb5\x2f\xfd"sv,
     ": truncated: the compressed data end too early"},
    {"zstd_damaged",
     "\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"sv,
     ": damaged compressed data"},
};
static_assert(std::size(malformed_texts) >= 60);

}  // namespace genten::test
