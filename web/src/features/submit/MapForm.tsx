import { Field, SimpleGrid, Text, Textarea } from '@chakra-ui/react'
import { useState } from 'react'
import { ReplayDetails } from '@/features/replay/ReplayDetails'
import { useSubmitMapMutation } from '@/shared/api'
import { REPLAY_LIMIT_MB } from '@/shared/lib/fileRules'
import { runExpected } from '@/shared/lib/runExpected'
import { addTags } from '@/shared/lib/tags'
import type { User } from '@/shared/session/sessionSlice'
import { useSession } from '@/shared/session/useSession'
import { FileDrop } from './FileDrop'
import { ImageDrop } from './ImageDrop'
import { MedalEntry } from './MedalEntry'
import { existingId, fromServer } from './problems'
import { defaultEntries, isAuthor, mapProblems, medalTimes, NO_MEDALS, NO_TIMES } from './rules'
import { SubmitForm } from './SubmitForm'
import { TagsEntry } from './TagsEntry'
import { useMapDraft } from './useMapDraft'
import { useReplayFile } from './useReplayFile'
import { type Outcome, useSubmission } from './useSubmission'

const DESCRIPTION_LIMIT = 2000
const FAILED = 'Failed to submit map for validation'

// MapForm hands in a map. Its medal times are shown to the map's author alone.
export function MapForm() {
  const player = usePlayer()
  const [submitMap] = useSubmitMapMutation()
  const [image, setImage] = useState<File | null>(null)
  const { draft, change, forget } = useMapDraft()
  const { description } = draft
  const [medals, setMedals] = useState(NO_MEDALS)
  const chosen = useReplayFile(REPLAY_LIMIT_MB.map, (read) => setMedals(defaultEntries(read)))
  const { file, replay } = chosen
  const byAuthor = isAuthor(player, replay)

  const send = async (submitter: User | null): Promise<Outcome> => {
    if (!file || !replay || !image) return { problem: { messages: [FAILED] } }
    // A tag that stands in the box was meant, too.
    const tags = addTags(draft.tags, draft.typedTag)
    change({ tags, typedTag: '' })
    const metadata = {
      description,
      tags,
      medalTimes: isAuthor(submitter, replay) ? medalTimes(medals, replay) : NO_TIMES,
    }
    try {
      const { data } = await submitMap({
        mapSubmission: { replayFile: file, mapImage: image, metadata },
      }).unwrap()
      forget()
      return { done: 'Map validated successfully!', to: `/leaderboard/${data._id}`, state: runExpected }
    } catch (problem) {
      const existing = existingId(problem, 'map_exists')
      return {
        problem: {
          ...fromServer(problem, FAILED),
          ...(existing && {
            wayOn: { to: `/leaderboard/${existing}`, label: 'See the map that exists already' },
          }),
        },
      }
    }
  }

  const submission = useSubmission({
    check: (submitter) => mapProblems({ user: submitter, replay, image, medals }),
    send,
    failed: FAILED,
  })
  const { sending, problem } = submission

  return (
    <SubmitForm
      label="Map submission"
      button="Submit for Validation"
      endpoint="submitMap"
      reading={chosen.reading}
      submission={submission}
    >
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <FileDrop
          label="Replay (.lbReplay)"
          hint="Your own run on the map, up to 1MB"
          accept=".lbReplay"
          file={file}
          problem={chosen.problem}
          reading={chosen.reading}
          disabled={sending}
          onFile={chosen.choose}
          onClear={chosen.clear}
        />
        <ImageDrop image={image} disabled={sending} onImage={setImage} />
      </SimpleGrid>
      {replay && <ReplayDetails replay={replay} />}
      {replay && !byAuthor && (
        <Text>
          This map is by <b>{replay.mapAuthor}</b> and will be attributed to them. Validators may submit it;
          only the author can set medal times.
        </Text>
      )}
      <Field.Root disabled={sending}>
        <Field.Label>Description</Field.Label>
        <Textarea
          value={description}
          rows={4}
          maxLength={DESCRIPTION_LIMIT}
          bg="bg.panel"
          placeholder="What is it like to play?"
          onChange={(event) => change({ description: event.target.value })}
        />
        <Field.HelperText>
          {description.length} of {DESCRIPTION_LIMIT} letters. Description and tags stay in this tab until you
          submit; files have to be chosen again after a reload.
        </Field.HelperText>
      </Field.Root>
      <TagsEntry
        tags={draft.tags}
        typed={draft.typedTag}
        disabled={sending}
        onTags={(tags, typedTag) => change({ tags, typedTag })}
      />
      {replay && byAuthor && (
        <MedalEntry
          medals={medals}
          times={medalTimes(medals, replay)}
          disabled={sending}
          checked={problem !== null}
          onMedals={setMedals}
        />
      )}
    </SubmitForm>
  )
}

// usePlayer tells whose form this is: who is logged in, or was before the session ended in front of the form.
function usePlayer(): User | null {
  const user = useSession()
  const [player, setPlayer] = useState(user)
  if (user && user !== player) setPlayer(user)
  return user ?? player
}
