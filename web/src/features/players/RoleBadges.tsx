import { Badge } from '@/shared/components/Badge'
import styles from './RoleBadges.module.css'

interface Props {
  roles: readonly string[]
  // An admin is yellow on a card and red on a profile.
  on: 'card' | 'profile'
}

// RoleBadges shows what somebody is here, each role with its first letter capitalised.
export function RoleBadges({ roles, on }: Props) {
  if (roles.length === 0) return null
  return (
    <div className={styles.roles}>
      {roles.map((role) => (
        <Badge key={role} colour={roleColour(role, on)}>
          {role.charAt(0).toUpperCase() + role.slice(1)}
        </Badge>
      ))}
    </div>
  )
}

export function roleColour(role: string, on: Props['on']): 'yellow' | 'red' | 'purple' | 'blue' {
  switch (role.toLowerCase()) {
    case 'admin':
      return on === 'card' ? 'yellow' : 'red'
    case 'moderator':
      return 'purple'
    default:
      return 'blue'
  }
}
