import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import * as v from 'valibot'
import { type MapEdit, useListMapEditsQuery, useUndoMapEditMutation } from '@/api/desk'
import { Loaded } from '@/api/Loaded'
import { Form, type Outcome, TextareaField, useForm, useSubmit } from '@/forms'
import { isAllowed } from '@/session/permissions'
import { useSession } from '@/store/hooks'
import { Badge, Box, Button, Flex, Name, Skeleton, Stack, Text } from '@/ui'
import { DividedList } from '@/ui/DividedList'
import { DateTime } from '@/ui/format'
import { useKeptFocus } from '@/ui/keptFocus'
import { ValueChange } from '@/ui/more/ValueChange'
import { InnerPart } from '@/ui/Part'
import { type EditedField, editedFields } from './editRules'

const FIELDS: Record<EditedField['field'], MessageDescriptor> = {
  description: msg`Description`,
  tags: msg`Tags`,
  medalTimes: msg`Medal times`,
  picture: msg`Picture`,
}

/** What was changed of a map by whom, which moderators can undo. */
export function EditHistory({ mapId }: { mapId: string }) {
  const query = useListMapEditsQuery({ id: mapId }, { refetchOnMountOrArgChange: true })
  return (
    <InnerPart title={t`Edits`}>
      <Loaded query={query} skeleton={<Skeleton h="24" role="status" aria-label={t`Loading...`} />}>
        {(edits) =>
          edits.length === 0 ? (
            <Text color="fg.muted">{t`The map has not been edited yet.`}</Text>
          ) : (
            <DividedList aria-label={t`Edits`}>
              {edits.map((edit) => (
                <EditItem
                  key={edit._id}
                  mapId={mapId}
                  edit={edit}
                  isUndone={edits.some(({ undoes }) => undoes === edit._id)}
                />
              ))}
            </DividedList>
          )
        }
      </Loaded>
    </InnerPart>
  )
}

function EditItem({ mapId, edit, isUndone }: { mapId: string; edit: MapEdit; isUndone: boolean }) {
  const user = useSession()
  const [undoing, setUndoing] = useState(false)
  const { editor, at, undoes, reason } = edit
  const fields = editedFields(edit)
  const mayUndo = user && isAllowed(user, 'undo edit of map') && !isUndone
  return (
    <Stack as="li" gap="2" py="3" {...useKeptFocus()}>
      <Flex wrap="wrap" align="center" gap="2">
        <Text fontWeight="semibold">
          <Trans>
            <Name>{editor.name}</Name>, <DateTime iso={at} />
          </Trans>
        </Text>
        {undoes && <Badge>{t`Undo`}</Badge>}
        {isUndone && <Badge>{t`Undone`}</Badge>}
      </Flex>
      {reason && <Text>{reason}</Text>}
      {fields.map(({ field, before, after }) => (
        <Box key={field} textStyle="sm">
          <Text as="span" fontWeight="semibold">
            {i18n._(FIELDS[field])}
          </Text>{' '}
          {field !== 'picture' && <ValueChange before={before} after={after} />}
        </Box>
      ))}
      {mayUndo && !undoing && (
        <Button size="xs" variant="outline" alignSelf="flex-start" onClick={() => setUndoing(true)}>{t`Undo`}</Button>
      )}
      {undoing && <UndoForm mapId={mapId} editId={edit._id} onClose={() => setUndoing(false)} />}
    </Stack>
  )
}

const MAX_REASON = 500

interface Values {
  reason: string
}

const schema = () => v.object({ reason: v.pipe(v.string(), v.trim(), v.minLength(1, t`Say why the edit is undone.`)) })

function UndoForm({ mapId, editId, onClose }: { mapId: string; editId: string; onClose: () => void }) {
  const [undo] = useUndoMapEditMutation()
  const form = useForm<Values, Values>({ schema, defaultValues: { reason: '' } })
  const send = async (undoReason: Values): Promise<Outcome> => {
    const { data, error } = await undo({ id: mapId, edit: editId, undoReason })
    if (!data) return { error }
    onClose()
    return { message: t`Edit undone` }
  }
  const submission = useSubmit(form, send, {
    fallback: t`Failed to undo the edit`,
    loginRequired: t`You must be logged in to change a map`,
    fieldOf: (code) => (code.startsWith('reason_') ? 'reason' : undefined),
  })
  return (
    <Form
      form={form}
      submission={submission}
      label={t({ message: 'Undo', context: 'form' })}
      button={t`Undo the edit`}
      onCancel={onClose}
    >
      <TextareaField control={form.control} name="reason" label={t`Why`} rows={2} maxLength={MAX_REASON} autoFocus />
    </Form>
  )
}
