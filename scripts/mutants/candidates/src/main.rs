//! Lists where one small change makes a mutant, as JSON on stdout: the kinds of change that cargo-mutants makes.
//!
//!   candidates <root> <file.rs>…      the files are relative to the root
//!
//! A change is a list of edits that insert text or replace one operator, so that changes can be nested. In the texts,
//! `mutant!()` stands for the expression that says whether the mutant is on.

mod defaults;
mod finder;

use std::collections::HashSet;
use std::path::Path;
use std::{env, fs, process};

fn main() {
    let mut args = env::args().skip(1);
    let Some(root) = args.next() else {
        eprintln!("usage: candidates <root> <file.rs>…");
        process::exit(2);
    };
    let files: Vec<(String, String, syn::File)> = args
        .map(|name| {
            let text = fs::read_to_string(Path::new(&root).join(&name))
                .unwrap_or_else(|error| fail(&name, &error.to_string()));
            let parsed =
                syn::parse_file(&text).unwrap_or_else(|error| fail(&name, &error.to_string()));
            (name, text, parsed)
        })
        .collect();
    let with_default: HashSet<String> = files
        .iter()
        .flat_map(|(_, _, parsed)| defaults::types_with_default(parsed))
        .collect();
    let all: Vec<serde_json::Value> = files
        .iter()
        .flat_map(|(name, text, parsed)| finder::find(name, text, parsed, &with_default))
        .collect();
    println!("{}", serde_json::Value::Array(all));
}

fn fail(name: &str, why: &str) -> ! {
    eprintln!("{name}: {why}");
    process::exit(1);
}
