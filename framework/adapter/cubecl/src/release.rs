//! Which release of CubeCL this is: each is a program of its own, and they lie side by side.

use std::env;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The one that this program was built with.
pub const OWN: &str = env!("TUNECHECK_CUBECL_VERSION");

/// What adapter.info names as `release`: the version that is to be started.
const VARIABLE: &str = "TUNECHECK_CUBECL_RELEASE";
const OTHER: &str = "tunecheck-adapter-cubecl-other";

/// Becomes the program of that release; returns where this is the one.
pub fn take_the_named_one() -> io::Result<()> {
    if env::var(VARIABLE).map_or(true, |named| named == OWN) {
        return Ok(());
    }
    // Whichever release that program is: two that name each other would not end.
    Err(Command::new(env::current_exe()?.with_file_name(OTHER))
        .args(env::args_os().skip(1))
        .env_remove(VARIABLE)
        .exec())
}
