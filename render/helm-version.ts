// Which Helm this is: the one that charts are told they are rendered by, and whose output is given.

/** The version of the Helm whose output is given, as it calls itself. */
export const helmVersion = 'v3.17.3';
