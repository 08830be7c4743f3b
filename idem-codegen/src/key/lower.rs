//! From a written expression to a [`Part`]: the names in it, what it is made of, what it is called.

use idem_contract::{Mention, Part, PartKind, Role, Span as Number};
use proc_macro2::{Ident, TokenStream};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{
    Expr, ExprCall, ExprField, ExprMacro, ExprMethodCall, ExprPath, FnArg, Member, Path, Token,
    UnOp,
};

use super::shape::{self, is_left_out};
use crate::handler::{Function, Handler, tidy};
use crate::pattern;
use crate::report::{At, Refusal};

/// The table from numbers to compiler spans: rules point with numbers.
#[derive(Debug, Default)]
pub(super) struct Places(Vec<At>);

impl Places {
    fn add(&mut self, at: At) -> usize {
        self.0.push(at);
        self.0.len() - 1
    }

    pub(super) fn whole(&mut self, at: At) -> usize {
        self.add(at)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// What a rule pointed at.
    pub(super) fn at(&self, number: Number) -> At {
        self.0
            .get(number.start)
            .copied()
            .unwrap_or(At::span(proc_macro2::Span::call_site()))
    }
}

/// The names a part may use.
#[derive(Debug)]
pub(crate) struct Scope {
    /// The handler's arguments, `self` included.
    pub(crate) names: Vec<Ident>,
    /// What the transaction is called.
    pub(crate) tx: Vec<Ident>,
}

impl Scope {
    pub(crate) fn of(function: &Function, handler: &Handler) -> Self {
        let mut names: Vec<Ident> = handler
            .args
            .iter()
            .flat_map(|arg| arg.names.iter().cloned())
            .collect();
        let mut tx = Vec::new();
        for input in &function.sig.inputs {
            match input {
                FnArg::Receiver(receiver) => names.push(receiver.self_token.into()),
                FnArg::Typed(typed) => {
                    tx = pattern::names(&typed.pat);
                    break;
                }
            }
        }
        Self { names, tx }
    }

    pub(super) fn has(&self, ident: &Ident) -> bool {
        self.names.contains(ident)
    }
}

/// A part as written, and what is known of it.
#[derive(Debug)]
pub(super) struct Lowered {
    pub(super) part: Part,
    /// Every name that a contract may have for the part, the likeliest first.
    pub(super) names: Vec<String>,
    /// The expression inside `trust`, or the whole part.
    pub(super) expr: Expr,
    /// The paths in it that start at an argument.
    pub(super) paths: Vec<Rooted>,
    /// What is wrong with its form.
    pub(super) shape: Option<Refusal>,
    pub(super) at: At,
}

/// A field path that starts at an argument: `event.customer.id`.
#[derive(Clone, Debug)]
pub(super) struct Rooted {
    pub(super) root: Ident,
    pub(super) fields: Vec<String>,
    /// Accessors called on it without arguments: `event.customer().id()`.
    pub(super) accessors: Vec<String>,
}

pub(super) fn lower(written: &Expr, scope: &Scope, places: &mut Places) -> Lowered {
    let at = At::of(written);
    let start = places.add(at);
    let trust = shape::trust(written);
    let trusted = trust.is_some();
    let (expr, shape) = match trust {
        Some(Ok(expr)) => {
            let shape = shape::leaving(&expr);
            (expr, shape)
        }
        Some(Err((expr, refusal))) => (expr, Some(refusal)),
        None => (written.clone(), shape::check(written, scope).err()),
    };
    let mut walk = Walk {
        scope,
        places,
        mentions: Vec::new(),
        paths: Vec::new(),
        joined: false,
        called: false,
    };
    walk.visit_expr(&expr);
    let Walk {
        mentions,
        paths,
        joined,
        called,
        ..
    } = walk;
    let kind = if joined {
        PartKind::Joined
    } else if is_place(&expr, scope) {
        PartKind::Field
    } else if called {
        PartKind::Call
    } else if is_constant(&expr) && shape.is_none() {
        PartKind::Constant
    } else {
        PartKind::Other
    };
    let names = names_of(&paths);
    let name = match (kind, names.first()) {
        (PartKind::Field, Some(name)) => name.clone(),
        _ => tidy(&expr),
    };
    let end = places.len();
    Lowered {
        part: Part {
            mentions,
            trusted,
            ..Part::new(name, kind, Number::new(start, end))
        },
        names,
        expr,
        paths,
        shape,
        at,
    }
}

/// `event.customer.id` is `customer.id`, an argument its own name, and `event.customer().id()` is
/// `customer.id`, too. What is made of several paths has no name.
fn names_of(paths: &[Rooted]) -> Vec<String> {
    let [path] = paths else {
        return Vec::new();
    };
    let mut names = Vec::new();
    if !path.accessors.is_empty() {
        let all = path.fields.iter().chain(&path.accessors);
        names.push(all.map(String::as_str).collect::<Vec<_>>().join("."));
    }
    let fields = path.fields.join(".");
    if fields.is_empty() {
        names.push(path.root.to_string());
    } else {
        names.push(fields.clone());
        names.push(format!("{}.{fields}", path.root));
    }
    names
}

/// Whether the part can be borrowed as it stands: an argument, a field path, and what leaves them
/// as they are (`&`, parentheses, `as_str()`).
fn is_place(expr: &Expr, scope: &Scope) -> bool {
    match expr {
        Expr::Path(path) => path.path.get_ident().is_some_and(|ident| scope.has(ident)),
        Expr::Field(field) => is_place(&field.base, scope),
        Expr::Reference(reference) => {
            reference.mutability.is_none() && is_place(&reference.expr, scope)
        }
        Expr::Paren(paren) => is_place(&paren.expr, scope),
        Expr::Group(group) => is_place(&group.expr, scope),
        Expr::MethodCall(call) => call.method == "as_str" && is_place(&call.receiver, scope),
        _ => false,
    }
}

fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Reference(reference) => is_constant(&reference.expr),
        Expr::Paren(paren) => is_constant(&paren.expr),
        Expr::Group(group) => is_constant(&group.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_constant(&unary.expr),
        _ => false,
    }
}

/// Gathers names, outermost first.
struct Walk<'a> {
    scope: &'a Scope,
    places: &'a mut Places,
    mentions: Vec<Mention>,
    paths: Vec<Rooted>,
    joined: bool,
    called: bool,
}

impl Walk<'_> {
    fn mention(&mut self, role: Role, name: String, path: String, at: At) {
        let number = self.places.add(at);
        self.mentions.push(Mention {
            role,
            name,
            path,
            span: Number::new(number, number + 1),
        });
    }

    fn ident(&mut self, role: Role, ident: &Ident) {
        let name = ident.to_string();
        self.mention(role, name.clone(), name, At::span(ident.span()));
    }

    fn path(&mut self, role: Role, path: &Path) {
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let name = segments.last().cloned().unwrap_or_default();
        self.mention(role, name, segments.join("::"), At::of(path));
    }

    /// A path in the place of an argument of a call: a constant, or a function handed over.
    fn argument(&mut self, expr: &Expr) {
        let handed_over = match expr {
            Expr::Path(path) => {
                path.qself.is_none()
                    && !path
                        .path
                        .get_ident()
                        .is_some_and(|ident| self.scope.has(ident))
                    && path.path.segments.last().is_some_and(|last| {
                        last.ident
                            .to_string()
                            .starts_with(|c: char| c.is_lowercase() || c == '_')
                    })
            }
            _ => false,
        };
        match expr {
            Expr::Path(path) if handed_over => {
                self.called = true;
                self.path(Role::Call, &path.path);
            }
            _ => self.visit_expr(expr),
        }
    }

    /// The field path that ends here, if it starts at an argument.
    fn rooted(&self, expr: &Expr) -> Option<Rooted> {
        match expr {
            Expr::Path(path) => {
                let root = path.path.get_ident()?;
                self.scope.has(root).then(|| Rooted {
                    root: root.clone(),
                    fields: Vec::new(),
                    accessors: Vec::new(),
                })
            }
            Expr::Field(field) => {
                let mut rooted = self.rooted(&field.base)?;
                if rooted.accessors.is_empty() {
                    rooted.fields.push(member(&field.member));
                } else {
                    rooted.accessors.push(member(&field.member));
                }
                Some(rooted)
            }
            Expr::MethodCall(call) if call.args.is_empty() => {
                let mut rooted = self.rooted(&call.receiver)?;
                let method = call.method.to_string();
                if method != "as_str" && !is_left_out(&method) {
                    rooted.accessors.push(method);
                }
                Some(rooted)
            }
            Expr::Reference(reference) => self.rooted(&reference.expr),
            Expr::Paren(paren) => self.rooted(&paren.expr),
            Expr::Group(group) => self.rooted(&group.expr),
            _ => None,
        }
    }

    /// Notes the longest path that starts at an argument, and whether there was one.
    fn take_path(&mut self, expr: &Expr) -> bool {
        let rooted = self.rooted(expr);
        let found = rooted.is_some();
        self.paths.extend(rooted);
        found
    }

    /// The names of a path that was taken as a whole.
    fn path_names(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(path) => {
                if let Some(root) = path.path.get_ident() {
                    self.ident(Role::Argument, root);
                }
            }
            Expr::Field(field) => {
                self.field(field);
                self.path_names(&field.base);
            }
            Expr::MethodCall(call) => {
                self.method(call);
                self.path_names(&call.receiver);
            }
            Expr::Reference(reference) => self.path_names(&reference.expr),
            Expr::Paren(paren) => self.path_names(&paren.expr),
            Expr::Group(group) => self.path_names(&group.expr),
            _ => {}
        }
    }

    fn field(&mut self, field: &ExprField) {
        let name = member(&field.member);
        self.mention(Role::Field, name, tidy(field), At::of(&field.member));
    }

    /// Methods that are to be left out anyway are refused as such, and by nothing else.
    fn method(&mut self, call: &ExprMethodCall) {
        let method = call.method.to_string();
        if method == "as_str" || is_left_out(&method) {
            return;
        }
        self.called = true;
        self.joined |= ["concat", "join", "push_str"].contains(&method.as_str());
        self.ident(Role::Method, &call.method);
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        if matches!(expr, Expr::Path(_) | Expr::Field(_) | Expr::MethodCall(_))
            && self.take_path(expr)
        {
            self.path_names(expr);
        } else {
            syn::visit::visit_expr(self, expr);
        }
    }

    fn visit_expr_field(&mut self, field: &'ast ExprField) {
        self.field(field);
        self.visit_expr(&field.base);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.method(call);
        self.visit_expr(&call.receiver);
        for argument in &call.args {
            self.argument(argument);
        }
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        self.called = true;
        match &*call.func {
            Expr::Path(path) => self.path(Role::Call, &path.path),
            func => self.visit_expr(func),
        }
        for argument in &call.args {
            self.argument(argument);
        }
    }

    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        self.path(Role::Path, &path.path);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        self.joined |= matches!(binary.op, syn::BinOp::Add(_));
        syn::visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_macro(&mut self, mac: &'ast ExprMacro) {
        let path = &mac.mac.path;
        self.path(Role::Macro, path);
        self.joined |= path.segments.last().is_some_and(|last| {
            ["format", "concat", "format_args"]
                .iter()
                .any(|joins| last.ident == joins)
        });
        // Most macros that make text take expressions; the rest is not looked into.
        for inner in expressions(mac.mac.tokens.clone()) {
            Visit::visit_expr(self, &inner);
        }
    }
}

fn expressions(tokens: TokenStream) -> Vec<Expr> {
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    parser
        .parse2(tokens)
        .map(|parsed| parsed.into_iter().collect())
        .unwrap_or_default()
}

pub(crate) fn member(member: &Member) -> String {
    match member {
        Member::Named(ident) => syn::ext::IdentExt::unraw(ident).to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// Whether the proof may borrow the expression; a call's value must not be dropped in a `const fn`.
pub(super) fn is_borrowed(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(field) => is_borrowed(&field.base),
        Expr::Reference(reference) => is_borrowed(&reference.expr),
        Expr::Paren(paren) => is_borrowed(&paren.expr),
        Expr::Group(group) => is_borrowed(&group.expr),
        Expr::Unary(unary) => is_borrowed(&unary.expr),
        _ => false,
    }
}
