import { Badge, Flex } from '@/ui'

type Place = 'card' | 'profile'

/** A player's roles. An admin's badge is yellow on cards and red on the profile. */
export function RoleBadges({ roles, on }: { roles: readonly string[]; on: Place }) {
  if (roles.length === 0) return null
  return (
    <Flex as="ul" wrap="wrap" gap="1.5" aria-label="Roles">
      {roles.map((role) => (
        <li key={role}>
          <RoleBadge role={role} on={on} />
        </li>
      ))}
    </Flex>
  )
}

function RoleBadge({ role, on }: { role: string; on: Place }) {
  const label = role.charAt(0).toUpperCase() + role.slice(1)
  switch (role.toLowerCase()) {
    case 'admin':
      return on === 'card' ? <Badge colorPalette="yellow">{label}</Badge> : <Badge colorPalette="red">{label}</Badge>
    case 'moderator':
      return <Badge colorPalette="purple">{label}</Badge>
    default:
      return <Badge colorPalette="blue">{label}</Badge>
  }
}
