# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx's settings. scripts/docs.sh lays the pages out by docs/prepare.py and says by the
environment where the rest is."""
import os
import pathlib
import sys

from sphinx.domains.cpp import CPPDomain
from sphinx.util import logging

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from reference import add_targets, undocumented  # noqa: E402

project = "Genten"
copyright = "2026 Genten contributors"
release = version = os.environ["GENTEN_VERSION"]

extensions = ["myst_parser", "breathe", "sphinx_copybutton"]
if os.environ.get("GENTEN_PYTHON_REFERENCE") == "1":
    extensions += ["sphinx.ext.autodoc", "numpydoc"]
    autodoc_typehints = "none"  # The docstrings say the types, and what they mean.
    numpydoc_show_class_members = False
    default_role = "py:obj"  # `cp` in a docstring is a link.

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

breathe_projects = {"genten": os.environ["GENTEN_DOXYGEN_XML"]}
breathe_default_project = "genten"
breathe_show_include = False
primary_domain = "cpp"
highlight_language = "none"
cpp_id_attributes = ["KOKKOS_INLINE_FUNCTION"]

# Every header opens the namespace genten, which counts as another declaration of it.
suppress_warnings = ["duplicate_declaration.cpp"]

html_theme = "furo"
html_title = f"Genten {version}"
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["genten.css"]
html_show_sourcelink = False
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True


def objects_without_parameters(domain, objects=CPPDomain.get_objects):
    """What the search finds in C++: not the parameters of functions, which are so many that they
    would hide all else, and each function once, however many overloads it has."""
    found = {}
    for each in objects(domain):
        if not each[2].endswith(("Param", "ParamType")):
            found.setdefault((each[0], each[2], each[3]), each)
    return iter(found.values())


def complain_about_undocumented(app, env):
    """Every public name of the Python package has an entry, which the search finds."""
    if os.environ.get("GENTEN_PYTHON_REFERENCE") == "1":
        for name in undocumented(env.domains["py"].objects):
            logging.getLogger(__name__).warning("the Python reference lacks %s", name)


def setup(app):
    CPPDomain.get_objects = objects_without_parameters
    app.connect("autodoc-process-docstring", add_targets, priority=900)  # After numpydoc.
    app.connect("env-check-consistency", complain_about_undocumented)
