//! From any `Serialize` value to a [`Tree`], shaped as JSON shapes it.

use serde::ser::{self, Error as _, Serialize, Serializer};

use super::{Tree, Why};

/// The name under which `serde_json` hands on the digits of a number when its
/// `arbitrary_precision` is on.
const NUMBER: &str = "$serde_json::private::Number";
/// The name under which `serde_json` hands on raw text.
const RAW: &str = "$serde_json::private::RawValue";

pub(super) struct Trees;

pub(super) struct List {
    items: Vec<Tree>,
    /// The variant it is the content of.
    variant: Option<&'static str>,
}

pub(super) struct Members {
    name: Option<String>,
    members: Vec<(String, Tree)>,
    variant: Option<&'static str>,
    kind: Kind,
}

enum Kind {
    Object,
    Number,
    Raw,
}

fn tagged(variant: Option<&'static str>, tree: Tree) -> Tree {
    match variant {
        None => tree,
        Some(variant) => Tree::Object(vec![(variant.to_owned(), tree)]),
    }
}

impl Serializer for Trees {
    type Ok = Tree;
    type Error = Why;
    type SerializeSeq = List;
    type SerializeTuple = List;
    type SerializeTupleStruct = List;
    type SerializeTupleVariant = List;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Members;

    fn serialize_bool(self, value: bool) -> Result<Tree, Why> {
        Ok(Tree::Bool(value))
    }
    fn serialize_i8(self, value: i8) -> Result<Tree, Why> {
        Ok(Tree::Integer(value.into()))
    }
    fn serialize_i16(self, value: i16) -> Result<Tree, Why> {
        Ok(Tree::Integer(value.into()))
    }
    fn serialize_i32(self, value: i32) -> Result<Tree, Why> {
        Ok(Tree::Integer(value.into()))
    }
    fn serialize_i64(self, value: i64) -> Result<Tree, Why> {
        Ok(Tree::Integer(value.into()))
    }
    fn serialize_i128(self, value: i128) -> Result<Tree, Why> {
        Ok(Tree::Integer(value))
    }
    fn serialize_u8(self, value: u8) -> Result<Tree, Why> {
        Ok(Tree::Integer(value.into()))
    }
    fn serialize_u16(self, value: u16) -> Result<Tree, Why> {
        Ok(Tree::Integer(value.into()))
    }
    fn serialize_u32(self, value: u32) -> Result<Tree, Why> {
        Ok(Tree::Integer(value.into()))
    }
    fn serialize_u64(self, value: u64) -> Result<Tree, Why> {
        Ok(Tree::Integer(value.into()))
    }
    fn serialize_u128(self, value: u128) -> Result<Tree, Why> {
        Ok(i128::try_from(value).map_or_else(|_| Tree::Literal(value.to_string()), Tree::Integer))
    }
    fn serialize_f32(self, value: f32) -> Result<Tree, Why> {
        // By way of its shortest text: 0.1 stays 0.1 and does not become 0.10000000149011612.
        self.serialize_f64(value.to_string().parse().unwrap_or(f64::NAN))
    }
    fn serialize_f64(self, value: f64) -> Result<Tree, Why> {
        if value.is_finite() {
            Ok(Tree::Float(value))
        } else {
            Err(Why("is not a finite number".to_owned()))
        }
    }
    fn serialize_char(self, value: char) -> Result<Tree, Why> {
        Ok(Tree::Text(value.to_string()))
    }
    fn serialize_str(self, value: &str) -> Result<Tree, Why> {
        Ok(Tree::Text(value.to_owned()))
    }
    fn serialize_bytes(self, value: &[u8]) -> Result<Tree, Why> {
        Ok(Tree::Bytes(value.to_vec()))
    }
    fn serialize_none(self) -> Result<Tree, Why> {
        Ok(Tree::Null)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Tree, Why> {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Result<Tree, Why> {
        Ok(Tree::Null)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<Tree, Why> {
        Ok(Tree::Null)
    }
    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
    ) -> Result<Tree, Why> {
        Ok(Tree::Text(name.to_owned()))
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Tree, Why> {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<Tree, Why> {
        Ok(tagged(Some(name), value.serialize(self)?))
    }
    fn serialize_seq(self, len: Option<usize>) -> Result<List, Why> {
        // A length is a hint from outside: not worth more than a page of memory in advance.
        let items = Vec::with_capacity(len.unwrap_or(0).min(64));
        Ok(List {
            items,
            variant: None,
        })
    }
    fn serialize_tuple(self, len: usize) -> Result<List, Why> {
        self.serialize_seq(Some(len))
    }
    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<List, Why> {
        self.serialize_seq(Some(len))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        len: usize,
    ) -> Result<List, Why> {
        let list = self.serialize_seq(Some(len))?;
        Ok(List {
            variant: Some(name),
            ..list
        })
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Members, Why> {
        Ok(Members {
            name: None,
            members: Vec::new(),
            variant: None,
            kind: Kind::Object,
        })
    }
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Members, Why> {
        let kind = match name {
            NUMBER => Kind::Number,
            RAW => Kind::Raw,
            _ => Kind::Object,
        };
        Ok(Members {
            name: None,
            members: Vec::new(),
            variant: None,
            kind,
        })
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Members, Why> {
        Ok(Members {
            name: None,
            members: Vec::new(),
            variant: Some(name),
            kind: Kind::Object,
        })
    }
}

impl List {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Why> {
        self.items.push(Tree::of(value)?);
        Ok(())
    }
    fn finish(self) -> Result<Tree, Why> {
        Ok(tagged(self.variant, Tree::Array(self.items)))
    }
}

impl Members {
    fn push<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Why> {
        self.members.push((name.to_owned(), Tree::of(value)?));
        Ok(())
    }
    fn finish(mut self) -> Result<Tree, Why> {
        match self.kind {
            Kind::Object => Ok(tagged(self.variant, Tree::Object(self.members))),
            Kind::Number => match self.members.pop() {
                Some((_, Tree::Text(digits))) => Ok(Tree::Literal(digits)),
                _ => Err(Why("is not a number that can be read".to_owned())),
            },
            Kind::Raw => match self.members.pop() {
                Some((_, Tree::Text(json))) => {
                    let value: serde_json::Value =
                        serde_json::from_str(&json).map_err(Why::custom)?;
                    Tree::of(&value)
                }
                _ => Err(Why("is not raw JSON that can be read".to_owned())),
            },
        }
    }
}

macro_rules! lists {
    ($($list:ident $push:ident),*) => {$(
        impl ser::$list for List {
            type Ok = Tree;
            type Error = Why;
            fn $push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Why> {
                self.push(value)
            }
            fn end(self) -> Result<Tree, Why> {
                self.finish()
            }
        }
    )*};
}

lists!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
);

macro_rules! structs {
    ($($object:ident),*) => {$(
        impl ser::$object for Members {
            type Ok = Tree;
            type Error = Why;
            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Why> {
                self.push(name, value)
            }
            fn end(self) -> Result<Tree, Why> {
                self.finish()
            }
        }
    )*};
}

structs!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Members {
    type Ok = Tree;
    type Error = Why;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Why> {
        self.name = Some(match Tree::of(key)? {
            Tree::Text(text) | Tree::Literal(text) => text,
            Tree::Integer(number) => number.to_string(),
            Tree::Bool(value) => value.to_string(),
            Tree::Null | Tree::Float(_) | Tree::Bytes(_) | Tree::Array(_) | Tree::Object(_) => {
                return Err(Why("has a map whose keys are not text".to_owned()));
            }
        });
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Why> {
        let name = self.name.take().unwrap_or_default();
        self.push(&name, value)
    }
    fn end(self) -> Result<Tree, Why> {
        self.finish()
    }
}
