import { Trans } from '@lingui/react/macro'
import { PencilIcon } from '@/ui/icons'
import { dialogButton } from '@/ui/more/dialogButton'

const AvatarButton = dialogButton(() => import('./AvatarDialog'))

/** A button that opens the dialog which changes the player's own avatar. */
export const EditAvatar = () => (
  <AvatarButton size="xs" variant="outline" dialog={{}}>
    <PencilIcon size={4} /> <Trans>Edit avatar</Trans>
  </AvatarButton>
)
