import { Field } from '@chakra-ui/react'
import { useState } from 'react'
import { type ParkourMap, useSubmitMapMutation } from '@/api'
import { errorCode, type QueryError, refusalOf } from '@/api/error'
import { addTags } from '@/entities/map/tags'
import { recordExpected } from '@/entities/record/submission'
import { ReplayDetails } from '@/entities/replay/ReplayDetails'
import { REPLAY_LIMIT_MB } from '@/entities/upload/fileRules'
import { paths } from '@/routes/paths'
import type { User } from '@/session/session'
import { useSession } from '@/store/hooks'
import { Grid, Text, Textarea } from '@/ui'
import { DrawingField } from './DrawingField'
import { FileField, ImageField } from './FileField'
import { MedalFields } from './MedalFields'
import { defaultEntries, errorOf, isAuthor, mapErrors, medalTimes, NO_MEDALS, NO_TIMES, type Picture } from './rules'
import { SubmitForm } from './SubmitForm'
import { TagsField } from './TagsField'
import { MAP_VERSIONS } from './texts'
import { useMapDraft } from './useMapDraft'
import { useReplayFile } from './useReplayFile'
import { type NextStep, type Outcome, useSubmission } from './useSubmission'

const MAX_DESCRIPTION = 2000
const SUBMIT_ERROR = 'Failed to submit map for validation'

/** Submits a map. Its medal times are shown to the map's author alone. */
export function MapForm() {
  const player = usePlayer()
  const [submitMap] = useSubmitMapMutation()
  const [picture, setPicture] = useState<Picture | null>(null)
  const { draft, change, remove } = useMapDraft()
  const [medals, setMedals] = useState(NO_MEDALS)
  const chosen = useReplayFile(REPLAY_LIMIT_MB.map, (replay) => setMedals(defaultEntries(replay)))
  const { file, replay } = chosen
  const byAuthor = isAuthor(player, replay)
  // A tag that was typed and not added is sent, too.
  const tags = addTags(draft.tags, draft.typedTag)

  const send = async (submitter: User): Promise<Outcome> => {
    if (!file || !replay || !picture) return { error: {} }
    change({ tags, typedTag: '' })
    const metadata = {
      description: draft.description,
      tags,
      medalTimes: isAuthor(submitter, replay) ? medalTimes(medals, replay) : NO_TIMES,
    }
    const { data, error } = await submitMap({
      mapSubmission: {
        replayFile: file,
        ...(picture === 'drawing' ? { useDrawing: 'true' } : { mapImage: picture }),
        metadata,
      },
    })
    if (!data) return { error, nextStep: findNextStep(error) }
    remove()
    return {
      message: 'Map validated successfully!',
      description: descriptionOf(data.data),
      to: paths.leaderboard(data.data._id),
      state: recordExpected,
    }
  }

  const submission = useSubmission({
    check: (user) => mapErrors({ user, replay, image: picture, tags, medals }),
    send,
    fallback: SUBMIT_ERROR,
  })
  const { sending, errors } = submission

  return (
    <SubmitForm label="Map submission" button="Submit for Validation" reading={chosen.reading} submission={submission}>
      <Grid columns={{ base: 1, md: 2 }} gap="4">
        <FileField
          label="Replay (.lbReplay)"
          hint="Your own finish of the map, up to 1MB"
          accept=".lbReplay"
          file={file}
          error={chosen.error ?? errorOf(errors, 'replayFile')}
          reading={chosen.reading}
          disabled={sending}
          onFile={chosen.choose}
          onClear={chosen.clear}
        />
        <ImageField
          image={picture instanceof File ? picture : null}
          disabled={sending}
          error={errorOf(errors, 'mapImage')}
          onImage={setPicture}
        />
      </Grid>
      {file && replay && (
        <DrawingField
          replayFile={file}
          used={picture === 'drawing'}
          disabled={sending}
          onUse={() => setPicture('drawing')}
        />
      )}
      {replay && <ReplayDetails replay={replay} />}
      {replay && !byAuthor && (
        <Text>
          This map is by <b>{replay.mapAuthor}</b> and will be attributed to them. Validators may submit it; only the
          author can set medal times.
        </Text>
      )}
      <Field.Root disabled={sending} invalid={errorOf(errors, 'description') !== null}>
        <Field.Label>Description</Field.Label>
        <Textarea
          value={draft.description}
          rows={4}
          maxLength={MAX_DESCRIPTION}
          bg="bg.panel"
          placeholder="What is it like to play?"
          onChange={(event) => change({ description: event.target.value })}
        />
        <Field.HelperText>
          {draft.description.length} of {MAX_DESCRIPTION} letters. Description and tags stay in this tab until you
          submit; files have to be chosen again after a reload.
        </Field.HelperText>
        <Field.ErrorText role="alert">{errorOf(errors, 'description')}</Field.ErrorText>
      </Field.Root>
      <TagsField
        tags={draft.tags}
        typed={draft.typedTag}
        disabled={sending}
        error={errorOf(errors, 'tags')}
        onTags={(tags, typedTag) => change({ tags, typedTag })}
      />
      {replay && byAuthor && <MedalFields medals={medals} disabled={sending} errors={errors} onMedals={setMedals} />}
    </SubmitForm>
  )
}

function findNextStep(error: QueryError): NextStep | null {
  const existing = refusalOf(error)?.data._id
  if (errorCode(error) !== 'map_exists' || typeof existing !== 'string') return null
  return { to: paths.leaderboard(existing), label: 'See the map that exists already', explanation: MAP_VERSIONS }
}

/** Returns what a submission has changed where it was not of a new map. */
function descriptionOf({ version, createdAt, updatedAt }: ParkourMap): string | undefined {
  if (createdAt !== updatedAt) return `Version ${version} was updated and keeps its records.`
  return version > 1 ? `It is version ${version} of the map, with a leaderboard of its own.` : undefined
}

/** Returns the player who is logged in, or was before the session ended while the form was open. */
function usePlayer(): User | null {
  const user = useSession()
  const [player, setPlayer] = useState(user)
  if (user && user !== player) setPlayer(user)
  return user ?? player
}
