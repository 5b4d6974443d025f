import { Trans } from '@lingui/react/macro'
import { Button, loadDialog } from '@/ui'
import { PencilIcon } from '@/ui/icons'
import { onDemand } from '@/ui/onDemand'

const AvatarDialog = onDemand(async () => (await Promise.all([import('./AvatarDialog'), loadDialog()]))[0])

/** A button that opens the dialog which changes the player's own avatar. */
export function EditAvatar() {
  const { opened, close, buttonProps } = AvatarDialog.useOpened()
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
        <PencilIcon size={4} /> <Trans>Edit avatar</Trans>
      </Button>
      {opened && <AvatarDialog.Component onClose={close} />}
    </>
  )
}
