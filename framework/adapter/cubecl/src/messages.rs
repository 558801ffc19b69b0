//! What CubeCL tells its user: it warns through the crate `log`, for which a program installs a logger.

use std::sync::Mutex;

use log::{LevelFilter, Log, Metadata, Record};

struct Warnings;

static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

impl Log for Warnings {
    fn enabled(&self, metadata: &Metadata) -> bool {
        metadata.level() <= log::Level::Warn
    }

    fn log(&self, record: &Record) {
        if self.enabled(record.metadata()) {
            eprintln!("{}: {}", record.target(), record.args());
            if record.target().starts_with("cubecl")
                && let Ok(mut seen) = SEEN.lock()
            {
                seen.push(record.args().to_string());
            }
        }
    }

    fn flush(&self) {}
}

pub fn begin() {
    if log::set_logger(&Warnings).is_ok() {
        log::set_max_level(LevelFilter::Warn);
    }
}

/// All warnings since the last time, in one line. They are the process's: CubeCL does not say whose.
pub fn take() -> String {
    let warnings = SEEN
        .lock()
        .map(|mut seen| std::mem::take(&mut *seen))
        .unwrap_or_default();
    let text = warnings.join("; ");
    // Its words for a store that it does without.
    let text = if text.contains("using memory") {
        format!("not stored: {text}")
    } else {
        text
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
