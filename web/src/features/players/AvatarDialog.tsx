import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import { useUpdatePlayerMutation } from '@/api'
import { IMAGE_TYPES } from '@/entities/upload/fileRules'
import { Form, ImageField, type Outcome, useForm, useSubmit } from '@/forms'
import { type User, userChanged } from '@/session/session'
import { useAppDispatch } from '@/store/hooks'
import { Text } from '@/ui'
import { FormDialog } from '@/ui/more/FormDialog'

interface AvatarValues {
  skinImage: File | null
}

const NO_AVATAR: AvatarValues = { skinImage: null }

const avatarSchema = () => v.object({ skinImage: v.file(t`An image is required`) })

/** A dialog that changes the player's own avatar. It opens when it is mounted. */
export default function AvatarDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog title={t`Edit avatar`} onClose={onClose}>
      <AvatarForm onClose={onClose} />
    </FormDialog>
  )
}

function AvatarForm({ onClose }: { onClose: () => void }) {
  const [update] = useUpdatePlayerMutation()
  const dispatch = useAppDispatch()
  const form = useForm({ schema: avatarSchema, defaultValues: NO_AVATAR })

  const send = async ({ skinImage }: { skinImage: File }, player: User): Promise<Outcome> => {
    const { data, error } = await update({ id: player._id, playerUpdate: { skinImage } })
    if (!data) return { error }
    const { skinImageUrl, skinColor } = data.data
    dispatch(userChanged({ skinImageUrl, skinColor }))
    onClose()
    return { message: t`Player information updated successfully` }
  }

  const submission = useSubmit(form, send, {
    fallback: t`Failed to update player`,
    unreachable: t`Error updating player`,
    toast: t`Failed to update player information`,
    loginRequired: t`You must be logged in to change your avatar`,
    fieldOf: (code) => (code.startsWith('image') ? 'skinImage' : undefined),
  })
  return (
    <Form form={form} submission={submission} label={t`Avatar`} button={t`Save`} onCancel={onClose}>
      <ImageField
        control={form.control}
        name="skinImage"
        label={t`Image`}
        help={t`JPG, PNG or WebP, at most 1 MB.`}
        accept={IMAGE_TYPES.join(',')}
        alt={t`Preview of your avatar`}
      />
      <Text textStyle="sm" color="fg.muted">{t`Name and level come from the game each time you log in.`}</Text>
    </Form>
  )
}
