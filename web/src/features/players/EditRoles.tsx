import { Trans } from '@lingui/react/macro'
import type { Player } from '@/api'
import { isAllowed } from '@/session/permissions'
import { useSession } from '@/store/hooks'
import { PencilIcon } from '@/ui/icons'
import { dialogButton } from '@/ui/more/dialogButton'

const RolesButton = dialogButton(() => import('./RolesDialog'))

/** A button that opens the dialog which changes a player's roles, for those who may. Nobody changes their own. */
export function EditRoles({ player }: { player: Player }) {
  const user = useSession()
  if (!user || user._id === player._id || !player.registered || !isAllowed(user, 'change roles')) return null
  return (
    <RolesButton size="xs" variant="outline" dialog={{ player }}>
      <PencilIcon size={4} /> <Trans>Edit roles</Trans>
    </RolesButton>
  )
}
