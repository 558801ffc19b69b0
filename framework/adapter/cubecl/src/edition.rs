//! A kernel that was changed is another program: its functions are a part of it. This adapter is one program for
//! all of them, so what a change would make of a kernel is an argument that its code is made with.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::Path;

use crate::protocol::Call;

/// A number for what the kernel's sources and the options of the call are, comments aside; 0 is never one.
pub fn of(call: &Call) -> u32 {
    let mut digest = DefaultHasher::new();
    call.compile_options.hash(&mut digest);
    for text in sources(Path::new(&call.kernel_folder)) {
        without_comments(&text).hash(&mut digest);
    }
    (digest.finish() as u32).max(1)
}

/// The same of the sources alone, comments and all.
pub fn with_comments(call: &Call) -> u32 {
    let mut digest = DefaultHasher::new();
    sources(Path::new(&call.kernel_folder)).hash(&mut digest);
    digest.finish() as u32
}

/// The sources in C++ of a kernel's folder, in the order of their names.
fn sources(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<_> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let ending = path.extension().and_then(|ending| ending.to_str());
            matches!(ending, Some("cpp" | "h" | "hpp" | "cu"))
        })
        .collect();
    files.sort();
    files
        .iter()
        .filter_map(|file| fs::read_to_string(file).ok())
        .collect()
}

/// The words of a source, with one blank between them. A text in quotes that looks like a comment counts as one:
/// no kernel here has any.
fn without_comments(text: &str) -> String {
    let mut words = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        words += &rest[..start];
        let (end, after) = match &rest[start..start + 2] {
            "//" => ("\n", 0),
            _ => ("*/", 2),
        };
        rest = match rest[start + 2..].find(end) {
            Some(length) => &rest[start + 2 + length + after..],
            None => "",
        };
        words.push(' ');
    }
    words += rest;
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::without_comments;

    #[test]
    fn comments_and_blanks_do_not_count() {
        assert_eq!(without_comments("a  b\n c"), "a b c");
        assert_eq!(without_comments("a // b\nc /* d\n e */ f"), "a c f");
        assert_eq!(without_comments("a // b /* c\nd"), "a d");
        assert_eq!(without_comments("a /* b"), "a");
        assert_ne!(without_comments("a / b"), without_comments("a b"));
    }
}
