import { hasRole, type Role } from './roles'

const MODERATORS = ['moderator', 'admin'] as const

/** Which roles may take an action that not every player may, as docs/permissions.md lists them. The server decides. */
export const PERMISSIONS = {
  'answer appeal': MODERATORS,
  'ban player': MODERATORS,
  'change avatar': MODERATORS,
  'change roles': ['admin'],
  'claim case': MODERATORS,
  decide: MODERATORS,
  'edit map of another': ['validator', ...MODERATORS],
  'hide player': MODERATORS,
  'merge player': ['admin'],
  'overrule conflict of interest': ['admin'],
  'rank map': MODERATORS,
  'read desk': MODERATORS,
  'read effects of a decision': MODERATORS,
  'read evidence of a record': MODERATORS,
  'remove map': MODERATORS,
  'remove record': MODERATORS,
  'replace wrong owner of map': ['validator', ...MODERATORS],
  'restore map': MODERATORS,
  'restore record': MODERATORS,
  'show player': MODERATORS,
  'submit map of another': ['validator', ...MODERATORS],
  'take over case': ['admin'],
  'unban player': MODERATORS,
  'undo decision': MODERATORS,
  'undo edit of map': MODERATORS,
  'unrank map': MODERATORS,
} as const satisfies Record<string, readonly Role[]>

export type Action = keyof typeof PERMISSIONS

/** Reports whether a player who is logged in may take an action. */
export const isAllowed = (player: { roles?: readonly string[] }, action: Action): boolean =>
  hasRole(player, ...PERMISSIONS[action])
