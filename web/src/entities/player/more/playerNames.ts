/** Compares names of game accounts as the server does: by NFKC, without case and surrounding spaces. */
export const isSameName = (a: string, b: string): boolean => normalised(a) === normalised(b)

const normalised = (name: string) => name.normalize('NFKC').trim().toLowerCase()
