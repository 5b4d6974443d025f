// sameName compares names of game accounts as the server does: without regard to case and to how letters are composed.
export const sameName = (a: string, b: string): boolean => bare(a) === bare(b)

const bare = (name: string) => name.normalize('NFKC').trim().toLowerCase()
