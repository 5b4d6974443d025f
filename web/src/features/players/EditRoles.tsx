import { Trans } from '@lingui/react/macro'
import type { Player } from '@/api'
import { isAllowed } from '@/session/permissions'
import { useSession } from '@/store/hooks'
import { Button, loadDialog } from '@/ui'
import { PencilIcon } from '@/ui/icons'
import { onDemand } from '@/ui/onDemand'

const RolesDialog = onDemand(async () => (await Promise.all([import('./RolesDialog'), loadDialog()]))[0])

/** A button that opens the dialog which changes a player's roles, for those who may. Nobody changes their own. */
export function EditRoles({ player }: { player: Player }) {
  const user = useSession()
  const { opened, close, buttonProps } = RolesDialog.useOpened()
  if (!user || user._id === player._id || !player.registered || !isAllowed(user, 'change roles')) return null
  const { loading, ...handlers } = buttonProps
  return (
    <>
      <Button
        size="xs"
        variant="outline"
        aria-haspopup="dialog"
        aria-busy={loading || undefined}
        {...handlers}
        aria-expanded={opened}
      >
        <PencilIcon size={4} /> <Trans>Edit roles</Trans>
      </Button>
      {opened && <RolesDialog.Component player={player} onClose={close} />}
    </>
  )
}
