//! Structs of JSON objects: fields, decoder, encoder and schema from one list.

/// Defines the struct of one object of an event. A field is required unless its type is an
/// `Option`; what the struct does not know stays in `extra`.
macro_rules! event_object {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $field:ident: $type:ty = $wire:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
        pub struct $name {
            $(
                $(#[$about])*
                #[serde(rename = $wire)]
                #[serde(skip_serializing_if = "crate::loopengine::fields::Field::is_absent")]
                pub $field: $type,
            )+
            /// Fields that this version does not know.
            #[serde(flatten)]
            #[cfg_attr(feature = "schema", schemars(skip))]
            pub extra: $crate::json::JsonObject,
        }

        impl $name {
            /// Takes the fields of the object; its `type`, if it has one, was taken before.
            pub(crate) fn read(
                mut fields: $crate::loopengine::fields::Fields,
            ) -> std::result::Result<Self, $crate::loopengine::fields::FieldFault> {
                Ok(Self { $($field: fields.take($wire)?,)+ extra: fields.rest() })
            }
        }

        impl $crate::loopengine::fields::FromJson for $name {
            const EXPECTED: &'static str = "an object";

            fn from_json(
                value: serde_json::Value,
            ) -> std::result::Result<Self, $crate::loopengine::fields::Misfit> {
                Self::read($crate::loopengine::fields::Fields::of(value)?).map_err(Into::into)
            }
        }
    };
}

pub(crate) use event_object;
