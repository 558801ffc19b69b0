//! Tells the program which version of CubeCL it was built with: the one that its Cargo.lock names. With CUDA, links it
//! without the LLVM of a compiler that it does not use.

use std::{env, fs, path::Path};

fn main() {
    let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let lock = Path::new(&folder).join("Cargo.lock");
    println!("cargo:rerun-if-changed={}", lock.display());
    let text = fs::read_to_string(&lock).expect("a locked build has a Cargo.lock");
    let after = text
        .split_once("name = \"cubecl\"\nversion = \"")
        .expect("Cargo.lock names cubecl")
        .1;
    let version = after.split('"').next().expect("a version ends with a quote");
    println!("cargo:rustc-env=TUNECHECK_CUBECL_VERSION={version}");
    println!("cargo:rustc-check-cfg=cfg(without_llvm)");
    println!("cargo:rerun-if-env-changed=DOCS_RS");
    if env::var_os("CARGO_FEATURE_CUDA").is_some() && env::var_os("DOCS_RS").is_some() {
        link_without_llvm(&folder);
    }
}

/// CubeCL's packages leave their LLVM out where DOCS_RS is set, and name its functions all the same. CUDA C++ calls none of
/// them: the program has one function for all, which says so (llvm.rs).
fn link_without_llvm(folder: &str) {
    let beside = [folder, &format!("{folder}/..")].map(|each| Path::new(each).join("llvm_functions.txt"));
    let list = beside
        .iter()
        .find(|list| list.exists())
        .expect("the list of LLVM's functions is next to build.rs");
    println!("cargo:rerun-if-changed={}", list.display());
    let text = fs::read_to_string(list).expect("the list of LLVM's functions is here");
    for name in text.lines().filter(|line| !line.starts_with('#')) {
        println!("cargo:rustc-link-arg-bins=-Wl,--defsym={name}=tunecheck_without_llvm");
    }
    println!("cargo:rustc-cfg=without_llvm");
}
