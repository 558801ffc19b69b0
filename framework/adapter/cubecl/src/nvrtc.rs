//! NVRTC's library, which CubeCL looks for by its name.

use std::env;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// What adapter.info names as `nvrtc_variable`: the library that the judge watches.
const VARIABLE: &str = "TUNECHECK_CUBECL_NVRTC";
const SEARCHED: &str = "LD_LIBRARY_PATH";

/// Puts that library where it is found first. The loader reads its variable when a process starts, so this
/// process becomes the same program once more; it returns where nothing is to be done.
pub fn take_the_judges() -> io::Result<()> {
    let Some(library) = env::var_os(VARIABLE) else {
        return Ok(());
    };
    let folder = env::temp_dir().join("nvrtc");
    fs::create_dir_all(&folder)?;
    symlink(library, folder.join("libnvrtc.so"))?;
    let others = env::var(SEARCHED).unwrap_or_default();
    Err(Command::new(env::current_exe()?)
        .args(env::args_os().skip(1))
        .env(SEARCHED, format!("{}:{others}", folder.display()))
        .env_remove(VARIABLE)
        .exec())
}
