import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { GAME_MODES } from '@/entities/map/modes'
import { ChecksField, Form, type Outcome, PlayerField, SelectField, TextField, useForm, useSubmit } from '@/forms'
import { Grid } from '@/ui'
import { namedChoices } from '@/ui/choices'
import { MapField } from './MapField'
import { MAX_DESCRIPTION, MAX_URL, type WebhookRequest, type WebhookValues, webhookSchema } from './rules'
import { FORMATS, typeTexts } from './texts'

interface Props {
  label: string
  button: string
  defaultValues: WebhookValues
  /** The format is chosen once. */
  isNew?: boolean
  send: (request: WebhookRequest) => Promise<Outcome>
  onCancel: () => void
}

/** Makes or changes a webhook. */
export function WebhookForm({ label, button, defaultValues, isNew = false, send, onCancel }: Props) {
  const form = useForm<WebhookValues, WebhookRequest>({ schema: webhookSchema, defaultValues })
  const submission = useSubmit(form, send, {
    fallback: t`Failed to save the webhook`,
    loginRequired: t`You must be logged in to change webhooks.`,
    fieldOf,
  })
  const { control } = form
  return (
    <Form form={form} submission={submission} label={label} button={button} onCancel={onCancel}>
      {isNew && (
        <SelectField
          control={control}
          name="format"
          label={t`Format`}
          autoFocus
          choices={{ discord: i18n._(FORMATS.discord), json: i18n._(FORMATS.json) }}
        />
      )}
      <TextField
        control={control}
        name="url"
        label={t`Address`}
        help={
          form.watch('format') === 'discord'
            ? t`In Discord you find it in the channel's settings: Integrations, Webhooks, Copy Webhook URL. Anyone who has it can post to the channel.`
            : t`It must begin with https:// and be on the public Internet.`
        }
        type="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_URL}
        autoFocus={!isNew}
      />
      <TextField control={control} name="description" label={t`Name (optional)`} maxLength={MAX_DESCRIPTION} />
      <ChecksField control={control} name="filter.types" label={t`What is sent`} choices={typeTexts()} />
      <Grid gridTemplateColumns={{ base: '1fr', md: '1fr 1fr' }} gap="5">
        <MapField control={control} />
        <PlayerField
          control={control}
          name="filter.player"
          label={t`Player`}
          help={t`Type a name to choose one.`}
          allText={t`All players`}
        />
        <SelectField
          control={control}
          name="filter.mode"
          label={t`Mode`}
          help={t`With a mode, only new records are sent.`}
          choices={{ '': t`All modes`, ...namedChoices(GAME_MODES) }}
        />
      </Grid>
    </Form>
  )
}

function fieldOf(code: string): string | undefined {
  if (code === 'webhook_url_refused') return 'url'
  if (code === 'map_unknown' || code === 'map_gone') return 'filter.map'
  return code === 'player_unknown' ? 'filter.player' : undefined
}
