//! UTF-8 as the WHATWG Encoding standard decodes it.
