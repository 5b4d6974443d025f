import { Trans } from '@lingui/react/macro'
import type { ParkourMap } from '@/api'
import { isAllowed } from '@/session/permissions'
import { useSession } from '@/store/hooks'
import { PencilIcon } from '@/ui/icons'
import { dialogButton } from '@/ui/more/dialogButton'

const MapButton = dialogButton(() => import('./MapDialog'))

/** A button that opens the dialog which edits a map, for its author and those who may edit maps of others. */
export function EditMap({ map }: { map: ParkourMap }) {
  const user = useSession()
  if (!user || (user._id !== map.author._id && !isAllowed(user, 'edit map of another'))) return null
  return (
    <MapButton variant="outline" dialog={{ map }}>
      <PencilIcon size={4} /> <Trans>Edit map</Trans>
    </MapButton>
  )
}
