//! Finds the places in one file.

use crate::defaults::values_for;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Block, Expr, ExprMatch, Pat, Signature, Stmt};

/// All changes that can be made in a file, in the order of the file.
pub fn find(name: &str, text: &str, parsed: &syn::File, with_default: &HashSet<String>) -> Vec<Value> {
    let mut finder = Finder {
        name,
        text,
        with_default,
        scope: vec![],
        inside: 0,
        counts: HashMap::new(),
        found: vec![],
    };
    finder.visit_file(parsed);
    finder.found
}

struct Finder<'a> {
    name: &'a str,
    text: &'a str,
    with_default: &'a HashSet<String>,
    /// The type whose methods we are in, and the function.
    scope: Vec<String>,
    /// How many functions we are in. Outside of functions the compiler evaluates.
    inside: usize,
    /// How many changes of a kind each function has so far.
    counts: HashMap<String, usize>,
    found: Vec<Value>,
}

/// Text that opens at the begin of a span or closes at its end, or replaces a token.
enum Edit {
    Open(usize, String),
    Close(usize, String),
    Token(Range<usize>, String),
}

impl Finder<'_> {
    fn add(&mut self, kind: &str, what: String, span: Range<usize>, edits: Vec<Edit>) {
        if self.inside == 0 {
            return;
        }
        let function = self.scope.join("::");
        let count = self.counts.entry(format!("{function} {kind}")).or_insert(0);
        *count += 1;
        let edits: Vec<Value> = edits
            .into_iter()
            .map(|edit| match edit {
                Edit::Open(at, text) => json!({ "role": "open", "start": at, "end": at, "text": text }),
                Edit::Close(at, text) => json!({ "role": "close", "start": at, "end": at, "text": text }),
                Edit::Token(range, text) => {
                    json!({ "role": "token", "start": range.start, "end": range.end, "text": text })
                }
            })
            .collect();
        let line = self.text[..span.start].matches('\n').count() + 1;
        self.found.push(json!({
            "file": self.name,
            "function": function,
            "line": line,
            "kind": kind,
            "nth": *count,
            "what": what,
            "start": span.start,
            "end": span.end,
            "edits": edits,
        }));
    }

    fn source(&self, range: Range<usize>) -> String {
        let words: Vec<&str> = self.text[range].split_whitespace().collect();
        let whole = words.join(" ");
        match whole.char_indices().nth(70) {
            Some((at, _)) => format!("{}…", &whole[..at]),
            None => whole,
        }
    }

    fn body(&mut self, attributes: &[Attribute], signature: &Signature, block: &Block) {
        let skipped = signature.constness.is_some() || signature.unsafety.is_some() || is_left_out(attributes);
        if skipped {
            return;
        }
        self.scope.push(signature.ident.to_string());
        self.inside += 1;
        let named = ["main", "fmt", "drop", "default"].contains(&signature.ident.to_string().as_str());
        let at = block.brace_token.span.open().byte_range().end;
        if !named && !block.stmts.is_empty() {
            for value in values_for(&signature.output, self.with_default) {
                let returned = if value == "()" { "return;".to_string() } else { format!("return {value};") };
                let what = format!("returns {value} at once");
                let text = format!(" if mutant!() {{ {returned} }}");
                self.add("body", what, at..at, vec![Edit::Open(at, text)]);
            }
        }
        visit::visit_block(self, block);
        self.inside -= 1;
        self.scope.pop();
    }

    fn flipped(&mut self, kind: &str, what: String, span: Range<usize>) {
        let edits = vec![
            Edit::Open(span.start, "((".into()),
            Edit::Close(span.end, ") != mutant!())".into()),
        ];
        self.add(kind, what, span, edits);
    }

    fn binary(&mut self, expression: &syn::ExprBinary) {
        let span = expression.span().byte_range();
        let operator = expression.op.span().byte_range();
        let (left, right) = (expression.left.span().byte_range(), expression.right.span().byte_range());
        if has_let(&expression.left) || has_let(&expression.right) {
            return;
        }
        let source = self.source(span.clone());
        let sign = self.source(operator.clone());
        let swaps: &[&str] = match expression.op {
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Le(_) | BinOp::Ge(_) => {
                let other = match expression.op {
                    BinOp::Eq(_) => "!=",
                    BinOp::Ne(_) => "==",
                    BinOp::Le(_) => ">",
                    _ => "<",
                };
                return self.flipped("compare", format!("{sign} becomes {other} in `{source}`"), span);
            }
            BinOp::And(_) | BinOp::Or(_) => {
                let and = matches!(expression.op, BinOp::And(_));
                let other = if and { "||" } else { "&&" };
                let on = if and { "mutant!()" } else { "!mutant!()" };
                let edits = vec![
                    Edit::Open(span.start, format!("(match {on} {{ swapped => if (")),
                    Edit::Token(operator, ") != swapped {".into()),
                    Edit::Close(span.end, "} else { swapped } })".into()),
                ];
                return self.add("logic", format!("{sign} becomes {other} in `{source}`"), span, edits);
            }
            BinOp::Lt(_) => &["<=", ">"],
            BinOp::Gt(_) => &[">=", "<"],
            BinOp::Add(_) => &["-", "*"],
            BinOp::Sub(_) => &["+"],
            BinOp::Mul(_) => &["+", "/"],
            BinOp::Div(_) | BinOp::Rem(_) => &["*"],
            _ => return,
        };
        let compares = matches!(expression.op, BinOp::Lt(_) | BinOp::Gt(_));
        let (kind, borrow) = if compares { ("compare", "&") } else { ("arithmetic", "") };
        for other in swaps {
            let edits = vec![
                Edit::Open(left.start, format!("(match ({borrow}(")),
                Edit::Token(operator.clone(), format!("), {borrow}(")),
                Edit::Close(
                    right.end,
                    format!(")) {{ (left, right) => if mutant!() {{ left {other} right }} else {{ left {sign} right }} }})"),
                ),
            ];
            self.add(kind, format!("{sign} becomes {other} in `{source}`"), span.clone(), edits);
        }
    }

    fn arms(&mut self, expression: &ExprMatch) {
        let has_rest = expression
            .arms
            .iter()
            .any(|arm| arm.guard.is_none() && matches!(arm.pat, Pat::Wild(_)));
        for arm in &expression.arms {
            let pattern = arm.pat.span().byte_range();
            let source = self.source(pattern.clone());
            match &arm.guard {
                Some((_, guard)) if !has_let(guard) => {
                    let span = guard.span().byte_range();
                    let condition = self.source(span.clone());
                    for (value, close) in [("true", ") || mutant!()"), ("false", ") && !mutant!()")] {
                        let edits =
                            vec![Edit::Open(span.start, "(".into()), Edit::Close(span.end, close.into())];
                        let what = format!("the guard `{condition}` is always {value}");
                        self.add("guard", what, span.clone(), edits);
                    }
                }
                None if has_rest && !matches!(arm.pat, Pat::Wild(_)) => {
                    let edits = vec![Edit::Close(pattern.end, " if !mutant!()".into())];
                    self.add("arm", format!("the arm `{source}` is deleted"), pattern, edits);
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_left_out(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        let attributes: &[Attribute] = match statement {
            Stmt::Local(local) => &local.attrs,
            Stmt::Expr(Expr::Block(block), _) => &block.attrs,
            Stmt::Expr(Expr::If(branch), _) => &branch.attrs,
            _ => &[],
        };
        if !is_left_out(attributes) {
            visit::visit_stmt(self, statement);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if is_left_out(&item.attrs) {
            return;
        }
        let name = match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        self.scope.push(name.unwrap_or_else(|| "impl".into()));
        visit::visit_item_impl(self, item);
        self.scope.pop();
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.body(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.body(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.body(&item.attrs, &item.sig, block);
        }
    }

    // What the compiler evaluates cannot be switched at run time.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_expr_repeat(&mut self, _: &'ast syn::ExprRepeat) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast Pat) {}
    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_expr_binary(&mut self, expression: &'ast syn::ExprBinary) {
        self.binary(expression);
        visit::visit_expr_binary(self, expression);
    }

    fn visit_expr_unary(&mut self, expression: &'ast syn::ExprUnary) {
        if matches!(expression.op, syn::UnOp::Not(_)) {
            let span = expression.span().byte_range();
            let what = format!("! is deleted in `{}`", self.source(span.clone()));
            self.flipped("not", what, span);
        }
        visit::visit_expr_unary(self, expression);
    }

    fn visit_expr_match(&mut self, expression: &'ast ExprMatch) {
        self.arms(expression);
        visit::visit_expr_match(self, expression);
    }
}

/// Whether something exists only in tests or on other systems.
fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        let last = path.segments.last().map(|segment| segment.ident.to_string());
        match last.as_deref() {
            Some("test") => true,
            Some("cfg") => {
                let syn::Meta::List(list) = &attribute.meta else { return false };
                ["test", "not (unix)", "windows"].contains(&list.tokens.to_string().as_str())
            }
            _ => false,
        }
    })
}

/// Whether a condition binds names, as in `if let Some(x) = y && x > 1`. Such a condition cannot be put in parentheses.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}
