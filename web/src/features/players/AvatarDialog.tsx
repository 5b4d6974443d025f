import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ChangeEvent, useState } from 'react'
import { type Player, useUpdatePlayerMutation } from '@/api'
import { errorText } from '@/api/error'
import { Avatar } from '@/entities/player/Avatar'
import { damagedImage, IMAGE_TYPES, imageError } from '@/entities/upload/fileRules'
import { userChanged } from '@/session/session'
import { useAppDispatch } from '@/store/hooks'
import { Button, Dialog, Field, Flex, Input, Text } from '@/ui'
import { PencilIcon } from '@/ui/icons'
import { toaster } from '@/ui/toaster'
import { usePreview } from '@/ui/usePreview'

const messages = { refused: msg`Failed to update player`, unreachable: msg`Error updating player` }

/** A button that opens a dialog which changes the player's own avatar. */
export function AvatarDialog({ player }: { player: Player }) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog.Root open={open} onOpenChange={(details) => setOpen(details.open)} placement="center">
      <Dialog.Trigger asChild>
        <Button size="xs" variant="outline">
          <PencilIcon size={4} /> <Trans>Edit avatar</Trans>
        </Button>
      </Dialog.Trigger>
      <Dialog.Content mx="4">
        <AvatarForm player={player} onClose={() => setOpen(false)} />
      </Dialog.Content>
    </Dialog.Root>
  )
}

function AvatarForm({ player, onClose }: { player: Player; onClose: () => void }) {
  const [image, setImage] = useState<File | null>(null)
  const [fileError, setFileError] = useState<string | null>(null)
  const preview = usePreview(image)
  const [update, { isLoading, error, reset }] = useUpdatePlayerMutation()
  const dispatch = useAppDispatch()

  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0] ?? null
    const invalid = file && imageError(file)
    setFileError(invalid)
    setImage(invalid ? null : file)
    // The server's error was about the image before.
    reset()
  }
  const onDamaged = () => {
    setFileError(damagedImage())
    setImage(null)
  }
  const save = async () => {
    if (!image || isLoading) return
    const result = await update({ id: player._id, playerUpdate: { skinImage: image } })
    if (result.data) {
      const { data } = result.data
      dispatch(userChanged({ skinImageUrl: data.skinImageUrl, skinColor: data.skinColor }))
      toaster.success({ title: t`Player information updated successfully` })
      onClose()
    } else {
      toaster.error({ title: errorText(result.error, t`Failed to update player information`) })
    }
  }
  const shownError = fileError ?? (error ? errorText(error, messages) : null)
  return (
    <>
      <Dialog.Header>
        <Dialog.Title>
          <Trans>Edit avatar</Trans>
        </Dialog.Title>
      </Dialog.Header>
      <Dialog.Body>
        <Flex gap="5" align="center">
          <Avatar
            player={preview ? { ...player, skinImageUrl: preview } : player}
            size={20}
            onError={preview ? onDamaged : undefined}
          />
          <Field.Root invalid={shownError !== null}>
            <Field.Label>
              <Trans>Image</Trans>
            </Field.Label>
            <Input type="file" accept={IMAGE_TYPES.join(',')} onChange={choose} disabled={isLoading} p="1.5" />
            <Field.HelperText>
              <Trans>JPG, PNG or WebP, at most 1 MB.</Trans>
            </Field.HelperText>
            {shownError && <Field.ErrorText role="alert">{shownError}</Field.ErrorText>}
          </Field.Root>
        </Flex>
        <Text mt="4" textStyle="sm" color="fg.muted">
          <Trans>Name and level come from the game each time you log in.</Trans>
        </Text>
      </Dialog.Body>
      <Dialog.Footer>
        <Button variant="outline" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button onClick={save} disabled={!image} loading={isLoading} loadingText={t`Saving...`}>
          <Trans>Save</Trans>
        </Button>
      </Dialog.Footer>
      <Dialog.CloseTrigger />
    </>
  )
}
