import { Trans } from '@lingui/react/macro'
import type { ParkourMap } from '@/api'
import { isAllowed } from '@/session/permissions'
import { useSession } from '@/store/hooks'
import { Button, loadDialog } from '@/ui'
import { PencilIcon } from '@/ui/icons'
import { onDemand } from '@/ui/onDemand'

const MapDialog = onDemand(async () => (await Promise.all([import('./MapDialog'), loadDialog()]))[0])

/** A button that opens the dialog which edits a map, for its author and those who may edit maps of others. */
export default function EditMap({ map }: { map: ParkourMap }) {
  const user = useSession()
  const { opened, close, buttonProps } = MapDialog.useOpened()
  if (!user || (user._id !== map.author._id && !isAllowed(user, 'edit map of another'))) return null
  const { loading, ...handlers } = buttonProps
  return (
    <>
      <Button
        variant="outline"
        aria-haspopup="dialog"
        aria-busy={loading || undefined}
        {...handlers}
        aria-expanded={opened}
      >
        <PencilIcon size={4} /> <Trans>Edit map</Trans>
      </Button>
      {opened && <MapDialog.Component map={map} onClose={close} />}
    </>
  )
}
