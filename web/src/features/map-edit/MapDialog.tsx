import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ParkourMap } from '@/api'
import { useEditMapMutation } from '@/api/desk'
import { MAX_TAG_LENGTH, MAX_TAGS } from '@/entities/map/tags'
import { MEDALS, medalName } from '@/entities/record/Medal'
import { IMAGE_TYPES } from '@/entities/upload/fileRules'
import { Form, ImageField, type Outcome, TagsField, TextareaField, TimeField, useForm, useSubmit } from '@/forms'
import { useSession } from '@/store/hooks'
import { Alert, Box, Button, Grid, Name, Stack, Text } from '@/ui'
import { AlertIcon } from '@/ui/icons'
import { FormDialog } from '@/ui/more/FormDialog'
import { EditHistory } from './EditHistory'
import { carriedOver, type Edit, type EditValues, editSchema, MAX_DESCRIPTION, valuesOf } from './editRules'

interface Props {
  map: ParkourMap
  onClose: () => void
}

/** A dialog that edits a map, with its history. It opens when it is mounted. */
export default function MapDialog({ map, onClose }: Props) {
  return (
    <FormDialog
      title={
        <Trans>
          Edit <Name>{map.name}</Name>
        </Trans>
      }
      large
      onClose={onClose}
    >
      <Stack gap="8">
        <EditForm key={map._id} present={map} onClose={onClose} />
        <EditHistory mapId={map._id} />
      </Stack>
    </FormDialog>
  )
}

interface FormProps {
  /** The map as it is now. */
  present: ParkourMap
  onClose: () => void
}

function EditForm({ present, onClose }: FormProps) {
  // An edit is based on the map that the form shows, which may be older than the present one. The server refuses it then.
  const [map, setMap] = useState(present)
  const byAuthor = useSession()?._id === map.author._id
  const [editMap] = useEditMapMutation()
  const form = useForm<EditValues, Edit>({ schema: () => editSchema(map, byAuthor), defaultValues: valuesOf(map) })
  const load = () => {
    form.reset(carriedOver(form.getValues(), map, present))
    setMap(present)
  }
  const send = async ({ mapImage, metadata }: Edit): Promise<Outcome> => {
    const { data, error } = await editMap({
      id: map._id,
      mapEditForm: { ...(mapImage && { mapImage }), metadata: { ...metadata, updatedAt: map.updatedAt } },
    })
    if (!data) return { error }
    onClose()
    return { message: t`Map changed` }
  }
  const submission = useSubmit(form, send, {
    fallback: t`Failed to change the map`,
    loginRequired: t`You must be logged in to change a map`,
    fieldOf: (code) => (code.startsWith('image') ? 'mapImage' : code.startsWith('medals') ? 'medalTimes' : undefined),
  })
  const { medalTimes: medalError } = form.formState.errors
  return (
    <Form form={form} submission={submission} label={t`Map`} button={t`Save`} onCancel={onClose}>
      <ChangeNotice changed={present.updatedAt !== map.updatedAt} disabled={submission.sending} onLoad={load} />
      <TextareaField
        control={form.control}
        name="description"
        label={t`Description`}
        rows={4}
        maxLength={MAX_DESCRIPTION}
      />
      <TagsField
        control={form.control}
        name="tags"
        label={t`Tags`}
        help={t`Press Enter or Add after each tag. Up to ${MAX_TAGS} tags of ${MAX_TAG_LENGTH} characters.`}
      />
      <ImageField
        control={form.control}
        name="mapImage"
        label={t`New picture`}
        help={t`JPG, PNG or WebP, at most 1 MB.`}
        accept={IMAGE_TYPES.join(',')}
        alt={t`Preview of the map image`}
      />
      {byAuthor && (
        <Stack as="section" aria-label={t`Medal times`} gap="3">
          <Grid columns={{ base: 2, md: 4 }} gap="4">
            {MEDALS.map((medal) => (
              <TimeField key={medal} control={form.control} name={`medalTimes.${medal}`} label={medalName(medal)} />
            ))}
          </Grid>
          {medalError?.message && (
            <Text role="alert" color="fg.error" textStyle="sm">
              {medalError.message}
            </Text>
          )}
          <Text textStyle="sm" color="fg.muted">
            <Trans>A medal time stays as it is while another player holds a medal that would change.</Trans>
          </Text>
        </Stack>
      )}
    </Form>
  )
}

interface NoticeProps {
  /** The map is not as the form shows it any more. */
  changed: boolean
  disabled: boolean
  onLoad: () => void
}

/** Tells that the map was changed while the form is open, and loads it into the form. */
function ChangeNotice({ changed, disabled, onLoad }: NoticeProps) {
  const [loaded, setLoaded] = useState(false)
  const load = () => {
    onLoad()
    setLoaded(true)
  }
  return (
    <Box role="status" _empty={{ position: 'absolute' }}>
      {changed ? (
        <Alert.Root status="warning" variant="subtle">
          <Alert.Indicator>
            <AlertIcon />
          </Alert.Indicator>
          <Alert.Content gap="3">
            <Alert.Title>{t`The map was changed after you opened it.`}</Alert.Title>
            <Alert.Description>
              <Trans>
                Load it before you save. What you have entered stays, except in the fields that were changed: these show
                their new values.
              </Trans>
            </Alert.Description>
            <Button size="sm" variant="outline" alignSelf="flex-start" disabled={disabled} onClick={load}>
              <Trans>Load the map as it is now</Trans>
            </Button>
          </Alert.Content>
        </Alert.Root>
      ) : (
        loaded && <Trans>The form shows the map as it is now.</Trans>
      )}
    </Box>
  )
}
