import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useWatch } from 'react-hook-form'
import type { ParkourMap } from '@/api'
import { useSubmitMapMutation } from '@/api/desk'
import { errorCode, type QueryError, refusalOf } from '@/api/error'
import { GAME_MODES } from '@/entities/map/modes'
import { MAX_TAG_LENGTH, MAX_TAGS } from '@/entities/map/tags'
import { recordExpected } from '@/entities/record/submission'
import { ReplayDetails } from '@/entities/replay/ReplayDetails'
import { REPLAY_LIMIT_MB } from '@/entities/upload/fileRules'
import {
  Form,
  ImageField,
  type NextStep,
  type Outcome,
  SelectField,
  TagsField,
  TextareaField,
  useForm,
  useSubmit,
} from '@/forms'
import { lengthOf } from '@/forms/characters'
import { paths } from '@/routes/paths'
import { isAllowed } from '@/session/permissions'
import { Grid, Name, Text } from '@/ui'
import { namedChoices } from '@/ui/choices'
import { DrawingField } from './DrawingField'
import { MedalFields } from './MedalFields'
import { ReplayField } from './ReplayField'
import {
  defaultEntries,
  fieldOf,
  isAuthor,
  MAX_DESCRIPTION,
  MAX_OWNER_REASON,
  type MapSubmission,
  mapDraft,
  mapSchema,
  NO_MAP,
} from './rules'
import { mapVersions } from './texts'

/** Submits a map. Its medal times are shown to the map's author alone. */
export function MapForm() {
  const [submitMap] = useSubmitMapMutation()
  const form = useForm({ schema: mapSchema, defaultValues: NO_MAP, draft: { key: 'map', schema: mapDraft } })
  const { control, setValue, player } = form

  const send = async (values: MapSubmission): Promise<Outcome> => {
    const { replayFile, mapImage, gameMode, description, tags, medalTimes, wrongOwnerReason } = values
    setValue('tags', { tags, typed: '' })
    // An update keeps what is left out. The form does not show what the map has, so that an empty field clears nothing.
    const metadata = {
      ...(gameMode && { gameMode }),
      ...(description.trim() && { description }),
      ...(tags.length > 0 && { tags }),
      ...(wrongOwnerReason && { wrongOwnerReason }),
      medalTimes,
    }
    const picture = mapImage === 'drawing' ? { useDrawing: 'true' as const } : { mapImage }
    const { data, error } = await submitMap({
      mapSubmission: { replayFile: replayFile.file, ...picture, metadata },
    })
    if (!data) return { error, nextStep: findNextStep(error) }
    return {
      message: t`Map validated successfully!`,
      description: descriptionOf(data.data),
      to: paths.leaderboard(data.data._id),
      state: recordExpected,
    }
  }

  const submission = useSubmit(form, send, {
    fallback: t`Failed to submit map for validation`,
    loginRequired: t`You must be logged in to submit a map`,
    fieldOf,
  })
  const [chosen, picture, gameMode, description] = useWatch({
    control,
    name: ['replayFile', 'mapImage', 'gameMode', 'description'],
  })
  const replay = chosen?.replay ?? null
  const mapAuthor = replay?.mapAuthor ?? t`Unknown`
  const byAuthor = isAuthor(player, replay)
  const length = lengthOf(description)

  return (
    <Form
      form={form}
      submission={submission}
      label={t`Map submission`}
      button={t`Submit for Validation`}
      reading={chosen !== null && replay === null}
    >
      <Grid columns={{ base: 1, md: 2 }} gap="4">
        <ReplayField
          control={control}
          name="replayFile"
          label={t`Replay (.lbReplay)`}
          help={t`Your own finish of the map, up to 1MB`}
          limitMb={REPLAY_LIMIT_MB.map}
          onRead={(read) =>
            setValue('medalTimes', defaultEntries(read), { shouldValidate: form.formState.isSubmitted })
          }
        />
        <ImageField
          control={control}
          name="mapImage"
          label={t`Map image (.webp)`}
          help={t`WebP under 1 MB`}
          accept=".webp"
          alt={t`Preview of the map image`}
        />
      </Grid>
      {chosen && replay && (
        <DrawingField
          replayFile={chosen.file}
          gameMode={gameMode}
          used={picture === 'drawing'}
          disabled={submission.sending}
          onUse={() => setValue('mapImage', 'drawing', { shouldValidate: form.formState.isSubmitted })}
        />
      )}
      {replay && <ReplayDetails replay={replay} />}
      {replay && !byAuthor && (
        <Text>
          <Trans>
            This map is by <Name>{mapAuthor}</Name> and will be attributed to them. Validators may submit it; only the
            author can set medal times.
          </Trans>
        </Text>
      )}
      {replay?.modeMissing && (
        <SelectField
          control={control}
          name="gameMode"
          label={t`Game mode`}
          help={t`Neither the map nor the replay says it. The leaderboard has this mode from now on.`}
          choices={{ '': t`Choose the game mode`, ...namedChoices(GAME_MODES) }}
        />
      )}
      <TextareaField
        control={control}
        name="description"
        label={t`Description`}
        help={t`${length} of ${MAX_DESCRIPTION} characters. Description and tags stay in this tab until you submit; files have to be chosen again after a reload.`}
        rows={4}
        maxLength={MAX_DESCRIPTION}
        placeholder={t`What is it like to play?`}
      />
      <TagsField
        control={control}
        name="tags"
        label={t`Tags`}
        help={t`Press Enter or Add after each tag. Up to ${MAX_TAGS} tags of ${MAX_TAG_LENGTH} characters.`}
        placeholder={t`city, tricky, long…`}
      />
      {replay && !byAuthor && player && isAllowed(player, 'replace wrong owner of map') && (
        <TextareaField
          control={control}
          name="wrongOwnerReason"
          label={t`Why the map has the wrong author on the site`}
          help={t`Leave it empty unless somebody else is named as its author. Their versions are removed or given to the author, and the audit log has the reason.`}
          rows={2}
          maxLength={MAX_OWNER_REASON}
        />
      )}
      {replay && byAuthor && <MedalFields control={control} />}
    </Form>
  )
}

function findNextStep(error: QueryError): NextStep | null {
  const existing = refusalOf(error)?.data._id
  if (errorCode(error) !== 'map_exists' || typeof existing !== 'string') return null
  return { to: paths.leaderboard(existing), label: t`See the map that exists already`, explanation: mapVersions() }
}

/** Returns what a submission has changed where it was not of a new map. */
function descriptionOf({ version, createdAt, updatedAt }: ParkourMap): string | undefined {
  if (createdAt !== updatedAt) return t`Version ${version} was updated and keeps its records.`
  return version > 1 ? t`It is version ${version} of the map, with a leaderboard of its own.` : undefined
}
