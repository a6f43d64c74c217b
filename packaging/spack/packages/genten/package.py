# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
try:  # Spack 1; older ones have these in spack.package
    from spack_repo.builtin.build_systems.cmake import CMakePackage
    from spack_repo.builtin.build_systems.cuda import CudaPackage
    from spack_repo.builtin.build_systems.rocm import ROCmPackage
except ImportError:
    pass
from spack.package import *


class Genten(CMakePackage, CudaPackage, ROCmPackage):
    """CP decomposition of sparse tensors: a C++20 library on Kokkos and a command-line tool.

    There are no released archives yet: build from a checkout by `spack dev-build genten@main`.
    """

    maintainers("genten-contributors")
    license("BSD-3-Clause")

    version("main", branch="main")

    variant("openmp", default=True, description="Kokkos' OpenMP backend")
    variant("tool", default=True, description="The command-line tool genten")
    variant("mpi", default=False, description="The tool on several ranks, and Genten::mpi")
    variant("shared", default=False, description="A shared library")
    variant("native", default=False, description="Hot loops for this machine's instruction set alone")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("kokkos@3.4:5")
    depends_on("kokkos+openmp", when="+openmp")
    depends_on("kokkos-kernels@3.4:5")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos+cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
        depends_on(f"kokkos-kernels+cuda+cublas cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
    for target in ROCmPackage.amdgpu_targets:
        depends_on(f"kokkos+rocm amdgpu_target={target}", when=f"+rocm amdgpu_target={target}")
    depends_on("lapack")
    depends_on("blas")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("xxhash")
    depends_on("fast-float")
    depends_on("nlohmann-json")
    depends_on("mpi", when="+mpi")
    depends_on("pkgconfig", type="build", when="+mpi")
    depends_on("cli11", when="+tool")
    depends_on("libarchive", when="+tool")

    conflicts("%gcc@:10", msg="Genten is written in C++20")
    conflicts("+cuda", when="+rocm", msg="one device backend at a time")

    def cmake_args(self):
        args = [
            self.define_from_variant("GENTEN_ENABLE_CLI", "tool"),
            self.define_from_variant("GENTEN_ENABLE_NATIVE", "native"),
            # Otherwise CMake takes an MPI of the system's, if it finds one.
            self.define_from_variant("GENTEN_ENABLE_MPI", "mpi"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("GENTEN_ENABLE_TESTS", False),
            self.define("GENTEN_ENABLE_PERF", False),
            self.define("GENTEN_ENABLE_EXAMPLES", False),
            self.define("GENTEN_ENABLE_INSTALL", True),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CXX_COMPILER", self["kokkos"].kokkos_cxx))
        if self.spec.satisfies("+rocm"):
            args.append(self.define("CMAKE_CXX_COMPILER", self.spec["hip"].hipcc))
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def try_tool(self):
        if self.spec.satisfies("+tool"):
            Executable(self.prefix.bin.genten)("--version")
