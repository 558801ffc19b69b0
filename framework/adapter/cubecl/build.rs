//! Tells the program which version of CubeCL it was built with: the one that its Cargo.lock names.

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
}
