/** The roles that give rights; any other role is a badge. */
export type Role = 'validator' | 'moderator' | 'admin'

/** Reports whether a player has one of the roles. The server decides again. */
export const hasRole = ({ roles = [] }: { roles?: readonly string[] }, ...allowed: Role[]): boolean =>
  allowed.some((role) => roles.includes(role))
