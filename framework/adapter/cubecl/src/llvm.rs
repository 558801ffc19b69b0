//! CubeCL's compiler for CUDA by LLVM, which a program that was built without LLVM does not have: build.rs.

/// Stands for each function of LLVM.
#[unsafe(no_mangle)]
pub extern "C" fn tunecheck_without_llvm() -> ! {
    eprintln!(
        "CubeCL called its compiler by LLVM, and this program was built without it: unset DOCS_RS to build it with"
    );
    std::process::abort()
}
