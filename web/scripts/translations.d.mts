/** Returns what is wrong with the translation of a sentence. */
export function faultsOf(locale: string, source: string, translation: string | undefined): string[]
