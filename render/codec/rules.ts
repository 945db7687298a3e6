// In what the versions of the libraries differ that read and write YAML and TOML.

/** How a Helm's libraries write and read. */
export interface CodecRules {
  /** The order of keys in compact YAML; that of go-yaml 2, `loose`, is not transitive where digits meet letters. */
  readonly yamlKeys: 'loose' | 'natural';
  /** Whether TOML's floats may have an exponent. */
  readonly tomlExponents: boolean;
  /** Whether TOML is that of 1.1: inline tables over several lines, `\\e` and `\\x`, times without seconds. Default false. */
  readonly toml11?: boolean;
  /** The line of an error at the end of a TOML text: the last one with something on it, or the one before the end. */
  readonly tomlEnd: 'last line' | 'line before';
  /** How errors about numbers of base 16 spell that. */
  readonly tomlHex: 'hexidecimal' | 'hexadecimal';
  /** Whether a key that holds an array may be set again. */
  readonly tomlArraysAgain: boolean;
  /** What an array marks that an empty TOML key names at the top: the key, or the table in use, as in tables below. */
  readonly tomlTopKey: 'the key' | 'the table';
}
