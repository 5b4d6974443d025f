import { Button, CloseButton, Dialog, Field, Flex, Input, Portal, Text } from '@chakra-ui/react'
import { type ChangeEvent, useState } from 'react'
import { useDispatch } from 'react-redux'
import { type Player, useUpdatePlayerMutation } from '@/shared/api'
import { problemMessage, problemText } from '@/shared/api/problem'
import { WithChakra } from '@/shared/chakra/WithChakra'
import { Avatar } from '@/shared/components/Avatar'
import { toaster } from '@/shared/components/toaster'
import { DAMAGED_IMAGE, IMAGE_TYPES, imageProblem } from '@/shared/lib/fileRules'
import { usePreview } from '@/shared/lib/usePreview'
import { userChanged } from '@/shared/session/sessionSlice'

const FAILED = { failed: 'Failed to update player', broken: 'Error updating player' }

// AvatarDialog changes one's own avatar: choose, look at it, save.
export default function AvatarDialog({ player, onClose }: { player: Player; onClose: () => void }) {
  const [image, setImage] = useState<File | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const preview = usePreview(image)
  const [update, { isLoading, error, reset }] = useUpdatePlayerMutation()
  const dispatch = useDispatch()

  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0] ?? null
    const problem = file && imageProblem(file)
    setRefused(problem)
    setImage(problem ? null : file)
    // What was said of the picture before is not true of this one.
    reset()
  }
  const damaged = () => {
    setRefused(DAMAGED_IMAGE)
    setImage(null)
  }
  const save = async () => {
    if (!image || isLoading) return
    try {
      const { data } = await update({ id: player._id, playerUpdate: { skinImage: image } }).unwrap()
      dispatch(userChanged({ skinImageUrl: data.skinImageUrl, skinColor: data.skinColor }))
      toaster.success({ title: 'Player information updated successfully' })
      onClose()
    } catch (refusal) {
      toaster.error({ title: problemMessage(refusal, 'Failed to update player information') })
    }
  }
  const problem = refused ?? (error ? problemText(error, FAILED) : null)
  return (
    <WithChakra>
      <Dialog.Root open onOpenChange={({ open }) => !open && onClose()} placement="center">
        <Portal>
          <Dialog.Backdrop />
          <Dialog.Positioner px="4">
            <Dialog.Content>
              <Dialog.Header>
                <Dialog.Title>Edit avatar</Dialog.Title>
              </Dialog.Header>
              <Dialog.Body>
                <Flex gap="5" align="center">
                  <Avatar
                    player={preview ? { ...player, skinImageUrl: preview } : player}
                    size={20}
                    onError={preview ? damaged : undefined}
                  />
                  <Field.Root invalid={problem !== null}>
                    <Field.Label>Image</Field.Label>
                    <Input
                      type="file"
                      accept={IMAGE_TYPES.join(',')}
                      onChange={choose}
                      disabled={isLoading}
                      p="1.5"
                    />
                    <Field.HelperText>JPG, PNG or WebP, at most 1 MB.</Field.HelperText>
                    {problem && <Field.ErrorText role="alert">{problem}</Field.ErrorText>}
                  </Field.Root>
                </Flex>
                <Text mt="4" textStyle="sm" color="fg.muted">
                  Name and level come from the game each time you log in.
                </Text>
              </Dialog.Body>
              <Dialog.Footer>
                <Button variant="outline" onClick={onClose}>
                  Cancel
                </Button>
                <Button onClick={save} disabled={!image} loading={isLoading} loadingText="Saving...">
                  Save
                </Button>
              </Dialog.Footer>
              <Dialog.CloseTrigger asChild>
                <CloseButton size="sm" />
              </Dialog.CloseTrigger>
            </Dialog.Content>
          </Dialog.Positioner>
        </Portal>
      </Dialog.Root>
    </WithChakra>
  )
}
