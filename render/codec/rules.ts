// Differences between the versions of the JSON, YAML and TOML libraries.

/** The implementation of encoding/json: v2 since Go 1.27. */
export type JsonVersion = 'v1' | 'v2';

/** How the libraries of a Helm version read and write. */
export interface CodecRules {
  /** The implementation of encoding/json. Documents are the same; errors and invalid UTF-8 differ. */
  readonly json: JsonVersion;
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
