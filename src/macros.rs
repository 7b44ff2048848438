//! Macros that write the types of options.

/// Writes enums in which each value has a text form, and the constant `ALL` with every value and its text form.
macro_rules! choices {
    ($($(#[$doc:meta])* pub enum $name:ident { $($(#[$of:meta])* $variant:ident = $text:literal,)* })*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name { $($(#[$of])* $variant,)* }

        impl $name {
            /// Every value with its text form.
            pub const ALL: &'static [(&'static str, $name)] = &[$(($text, $name::$variant),)*];

            /// Returns the text form.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    )* };
}

/// Writes a builder method for each setting of a type: it sets the value and returns `self`.
macro_rules! setters {
    ($of:ty: $($(#[$doc:meta])* $name:ident($value:ident: $type:ty) => $($place:ident).+ = $new:expr;)*) => {
        impl $of { $(
            $(#[$doc])*
            #[must_use]
            pub fn $name(mut self, $value: $type) -> Self {
                self.$($place).+ = $new;
                self
            }
        )* }
    };
}

pub(crate) use {choices, setters};
