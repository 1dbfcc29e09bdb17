//! Which values a function may return instead of its own.

use quote::ToTokens;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{GenericArgument, Item, ItemEnum, ItemImpl, ItemStruct, PathArguments, ReturnType, Type};

/// The names of the types in a file that have a default.
pub fn types_with_default(file: &syn::File) -> HashSet<String> {
    let mut found = Found(HashSet::new());
    found.visit_file(file);
    found.0
}

struct Found(HashSet<String>);

impl Found {
    fn derived(&mut self, attributes: &[syn::Attribute], name: &syn::Ident) {
        let derives = attributes.iter().any(|attribute| {
            attribute.path().is_ident("derive")
                && attribute.to_token_stream().to_string().contains("Default")
        });
        if derives {
            self.0.insert(name.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item(&mut self, item: &'ast Item) {
        if let Item::Impl(block) = item {
            self.implemented(block);
        }
        visit::visit_item(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.derived(&item.attrs, &item.ident);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.derived(&item.attrs, &item.ident);
    }
}

impl Found {
    fn implemented(&mut self, block: &ItemImpl) {
        let Some((_, path, _)) = &block.trait_ else {
            return;
        };
        if path.is_ident("Default")
            && let Type::Path(of) = &*block.self_ty
            && let Some(last) = of.path.segments.last()
        {
            self.0.insert(last.ident.to_string());
        }
    }
}

/// The values to return instead, at most two; none if nothing fits the type.
pub fn values_for(output: &ReturnType, with_default: &HashSet<String>) -> Vec<String> {
    match output {
        ReturnType::Default => vec!["()".into()],
        ReturnType::Type(_, of) => values_of(of, with_default),
    }
}

fn values_of(of: &Type, with_default: &HashSet<String>) -> Vec<String> {
    match of {
        Type::Paren(inner) => values_of(&inner.elem, with_default),
        Type::Tuple(tuple) if tuple.elems.is_empty() => vec!["()".into()],
        Type::Tuple(tuple) => {
            let first: Option<Vec<String>> = tuple
                .elems
                .iter()
                .map(|element| values_of(element, with_default).into_iter().next())
                .collect();
            first
                .map(|values| vec![format!("({})", values.join(", "))])
                .unwrap_or_default()
        }
        Type::Reference(reference) if reference.mutability.is_none() => match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => {
                vec![r#""""#.into(), r#""xyzzy""#.into()]
            }
            Type::Slice(_) => vec!["&[]".into()],
            _ => vec![],
        },
        Type::Path(path) => values_of_path(path, with_default),
        _ => vec![],
    }
}

fn values_of_path(of: &syn::TypePath, with_default: &HashSet<String>) -> Vec<String> {
    let Some(last) = of.path.segments.last() else {
        return vec![];
    };
    let name = last.ident.to_string();
    let inner = |index: usize| -> Vec<String> {
        let PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return vec![];
        };
        match arguments.args.iter().nth(index) {
            Some(GenericArgument::Type(of)) => values_of(of, with_default),
            _ => vec![],
        }
    };
    let wrapped = |open: &str, close: &str| -> Vec<String> {
        inner(0)
            .iter()
            .map(|value| format!("{open}{value}{close}"))
            .collect()
    };
    match name.as_str() {
        "bool" => vec!["true".into(), "false".into()],
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128"
        | "isize" => vec!["0".into(), "1".into()],
        "f32" | "f64" => vec!["0.0".into(), "1.0".into()],
        "String" => vec!["String::new()".into(), r#""xyzzy".to_string()"#.into()],
        "Option" => {
            let some = wrapped("Some(", ")").into_iter().next();
            [Some("None".to_string()), some]
                .into_iter()
                .flatten()
                .collect()
        }
        "Result" => wrapped("Ok(", ")"),
        "Vec" => vec!["Vec::new()".into()],
        "Box" => wrapped("Box::new(", ")"),
        "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" | "PathBuf" | "Duration" | "Value" => {
            vec!["Default::default()".into()]
        }
        _ if with_default.contains(&name) => vec!["Default::default()".into()],
        _ => vec![],
    }
}
