//! Writes an enum of which each value has a text form: what options take, and what tables show.

/// The enum, and `ALL`: every value with its text form.
macro_rules! choices {
    ($($(#[$doc:meta])* pub enum $name:ident { $($(#[$of:meta])* $variant:ident = $text:literal,)* })*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name { $($(#[$of])* $variant,)* }

        impl $name {
            /// Every value with its text form.
            pub const ALL: &'static [(&'static str, $name)] = &[$(($text, $name::$variant),)*];
        }
    )* };
}

pub(crate) use choices;
