import { hasRole, type Role } from './roles'

const EVERYBODY = 'player'
const MODERATORS = ['moderator', 'admin'] as const

/** Who may take an action on the site, as docs/permissions.md lists them. The server decides. */
export const PERMISSIONS = {
  'answer appeal': MODERATORS,
  appeal: EVERYBODY,
  'ban player': MODERATORS,
  'change avatar': MODERATORS,
  'change own avatar': EVERYBODY,
  'change own inbox settings': EVERYBODY,
  'change roles': ['admin'],
  'claim case': MODERATORS,
  decide: MODERATORS,
  'delete own account': EVERYBODY,
  'edit map of another': ['validator', ...MODERATORS],
  'edit own map': EVERYBODY,
  'export own data': EVERYBODY,
  'follow player or map': EVERYBODY,
  'hide player': MODERATORS,
  'manage own personal tokens': EVERYBODY,
  'manage own webhooks': EVERYBODY,
  'merge player': ['admin'],
  'overrule conflict of interest': ['admin'],
  'preview drawing': EVERYBODY,
  'put goal aside': EVERYBODY,
  'rank map': MODERATORS,
  'read desk': MODERATORS,
  'read effects of a decision': MODERATORS,
  'read evidence of a record': MODERATORS,
  'read own decisions': EVERYBODY,
  'read own inbox': EVERYBODY,
  'remove map': MODERATORS,
  'remove record': MODERATORS,
  'replace wrong owner of map': ['validator', ...MODERATORS],
  report: EVERYBODY,
  'restore map': MODERATORS,
  'restore record': MODERATORS,
  'set medal times': EVERYBODY,
  'show player': MODERATORS,
  'submit map of another': ['validator', ...MODERATORS],
  'submit own map': EVERYBODY,
  'submit record': EVERYBODY,
  'take over case': ['admin'],
  'unban player': MODERATORS,
  'undo decision': MODERATORS,
  'undo edit of map': MODERATORS,
  'unrank map': MODERATORS,
} as const satisfies Record<string, typeof EVERYBODY | readonly Role[]>

export type Action = keyof typeof PERMISSIONS

/** Reports whether a player who is logged in may take an action. */
export function isAllowed(player: { roles?: readonly string[] }, action: Action): boolean {
  const who = PERMISSIONS[action]
  return who === EVERYBODY || hasRole(player, ...who)
}
