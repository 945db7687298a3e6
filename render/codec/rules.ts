// Differences between the versions of the YAML and TOML libraries.

/** How the libraries of a Helm version read and write. */
export interface CodecRules {
  /** The order of keys in compact YAML. That of go-yaml 2, `loose`, is not transitive where digits meet letters. */
  readonly yamlKeys: 'loose' | 'natural';
  /** Whether TOML floats can have an exponent. */
  readonly tomlExponents: boolean;
  /** Whether TOML 1.1 is supported: multi-line inline tables, `\\e` and `\\x`, times without seconds. Default false. */
  readonly toml11?: boolean;
  /** The line of an error at the end of a TOML text: the last non-empty line, or the one before the end. */
  readonly tomlEnd: 'last line' | 'line before';
  /** How errors about hexadecimal numbers spell the base. */
  readonly tomlHex: 'hexidecimal' | 'hexadecimal';
  /** Whether a key that holds an array can be set again. */
  readonly tomlArraysAgain: boolean;
  /** What an array of tables with an empty top-level key marks: the key, or the current table, as in nested tables. */
  readonly tomlTopKey: 'the key' | 'the table';
}
