//! Says which mutant is on: the one that is named like the folder of the executable. Its children, such as the
//! `ralph emit` of an agent, run the same file and so have the same mutant.
//!
//! In the folder `baseline` no mutant is on. There every process notes which switches it passes, and in which folder.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};

static FOLDER: OnceLock<(String, PathBuf)> = OnceLock::new();
static PASSED: OnceLock<Mutex<HashSet<&'static str>>> = OnceLock::new();

pub fn on(id: &'static str) -> bool {
    let (name, path) = FOLDER.get_or_init(|| {
        let folder = std::env::current_exe()
            .ok()
            .and_then(|path| path.parent().map(PathBuf::from))
            .unwrap_or_default();
        let name = folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        (name.unwrap_or_default(), folder)
    });
    if name == "baseline" {
        note(id, path);
    }
    name == id
}

fn note(id: &'static str, folder: &std::path::Path) {
    let Ok(mut passed) = PASSED.get_or_init(Mutex::default).lock() else {
        return;
    };
    if !passed.insert(id) {
        return;
    }
    let here = std::env::current_dir().unwrap_or_default();
    if let Ok(mut file) = OpenOptions::new()
        .append(true)
        .create(true)
        .open(folder.join("passed.tsv"))
    {
        let _ = file.write_all(format!("{}\t{id}\n", here.display()).as_bytes());
    }
}
