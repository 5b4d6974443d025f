import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import * as v from 'valibot'
import { type ReportReason, type SubjectKey, type SubjectKind, useCreateReportMutation } from '@/api/desk'
import { REASONS } from '@/entities/moderation/texts'
import { chosen, Form, type Outcome, SelectField, TextareaField, textDraft, useForm, useSubmit } from '@/forms'
import { lengthOf } from '@/forms/characters'
import { paths } from '@/routes/paths'
import { Text } from '@/ui'
import { choicesOf } from '@/ui/choices'
import { PageLink } from '@/ui/links'
import { FormDialog } from '@/ui/more/FormDialog'

/** The reasons for which each kind of thing is reported. */
const REASONS_OF: Record<SubjectKind, readonly ReportReason[]> = {
  record: ['not_own_play', 'edited', 'wrong_map', 'other'],
  map: ['stolen', 'broken', 'indecent', 'duplicate', 'other'],
  player: ['alt_account', 'name', 'avatar', 'other'],
}

const MIN_TEXT = 10
const MAX_TEXT = 1000

interface Values {
  reason: ReportReason | ''
  text: string
}

interface Report {
  reason: ReportReason
  text: string
}

function schema({ reason }: Values) {
  const enough = (text: string) => reason !== 'other' || lengthOf(text) >= MIN_TEXT
  return v.object({
    reason: chosen<ReportReason>(t`Choose a reason`),
    text: v.pipe(
      v.string(),
      v.trim(),
      v.check(enough, t`Describe it in at least ${MIN_TEXT} characters.`),
      v.check((text) => lengthOf(text) <= MAX_TEXT, t`A report has at most ${MAX_TEXT} characters.`),
    ),
  })
}

function titleOf(kind: SubjectKind): string {
  if (kind === 'record') return t`Report this record`
  return kind === 'map' ? t`Report this map` : t`Report this player`
}

/** A dialog with the two questions of a report. It opens when it is mounted. */
export default function ReportDialog({ subject, onClose }: { subject: SubjectKey; onClose: () => void }) {
  return (
    <FormDialog title={titleOf(subject.kind)} onClose={onClose}>
      <ReportForm subject={subject} onClose={onClose} />
    </FormDialog>
  )
}

function ReportForm({ subject, onClose }: { subject: SubjectKey; onClose: () => void }) {
  const [createReport] = useCreateReportMutation()
  const form = useForm<Values, Report>({
    schema,
    defaultValues: { reason: '', text: '' },
    draft: { key: `report-${subject.kind}-${subject.id}`, schema: textDraft },
  })
  const send = async ({ reason, text }: Report): Promise<Outcome> => {
    const { data, error } = await createReport({ reportRequest: { subject, reason, ...(text && { text }) } })
    if (!data) return { error }
    onClose()
    return { message: t`Thank you for your report`, description: t`You will hear the outcome in your inbox.` }
  }
  const submission = useSubmit(form, send, {
    fallback: t`Failed to send the report`,
    loginRequired: t`You must be logged in to report something.`,
    fieldOf: (code) => (code === 'report_text' ? 'text' : code === 'report_reason' ? 'reason' : undefined),
  })
  const isOther = form.watch('reason') === 'other'
  return (
    <Form
      form={form}
      submission={submission}
      label={t({ message: 'Report', context: 'form' })}
      button={t`Send report`}
      onCancel={onClose}
    >
      <SelectField
        control={form.control}
        name="reason"
        label={t`What is wrong?`}
        choices={{ '': t`Choose a reason`, ...choicesOf(REASONS, REASONS_OF[subject.kind]) }}
      />
      <TextareaField
        control={form.control}
        name="text"
        label={isOther ? t`What should moderators know?` : t`What should moderators know? (optional)`}
        rows={4}
        maxLength={MAX_TEXT}
      />
      <Text textStyle="sm" color="fg.muted">
        <Trans>
          Moderators look at it and decide. The player concerned is not told who reported it. You will hear the outcome
          in your inbox. <PageLink to={paths.moderation}>How moderators work</PageLink>
        </Trans>
      </Text>
    </Form>
  )
}
