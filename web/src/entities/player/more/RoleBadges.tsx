import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Badge, Flex } from '@/ui'

type Place = 'card' | 'profile'

/** A player's roles. An admin's badge is yellow on cards and red on the profile. */
export function RoleBadges({ roles, on }: { roles: readonly string[]; on: Place }) {
  if (roles.length === 0) return null
  return (
    <Flex as="ul" wrap="wrap" gap="1.5" aria-label={t`Roles`}>
      {roles.map((role) => (
        <li key={role}>
          <RoleBadge role={role} on={on} />
        </li>
      ))}
    </Flex>
  )
}

// The names of the roles that give rights. Any other is shown as it was given.
const NAMES: Partial<Record<string, MessageDescriptor>> = {
  admin: msg`Admin`,
  moderator: msg`Moderator`,
  validator: msg`Validator`,
}

function RoleBadge({ role, on }: { role: string; on: Place }) {
  const known = NAMES[role.toLowerCase()]
  const label = known ? i18n._(known) : role.charAt(0).toUpperCase() + role.slice(1)
  switch (role.toLowerCase()) {
    case 'admin':
      return on === 'card' ? <Badge colorPalette="yellow">{label}</Badge> : <Badge colorPalette="red">{label}</Badge>
    case 'moderator':
      return <Badge colorPalette="purple">{label}</Badge>
    default:
      return <Badge colorPalette="blue">{label}</Badge>
  }
}
