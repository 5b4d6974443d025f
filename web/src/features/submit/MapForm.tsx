import { Field, SimpleGrid, Stack, Text, Textarea } from '@chakra-ui/react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ReplayDetails } from '@/features/replay/ReplayDetails'
import { useSubmitMapMutation } from '@/shared/api'
import { toaster } from '@/shared/components/toaster'
import { useSession } from '@/shared/session/useSession'
import { FileDrop } from './FileDrop'
import { FormErrors } from './FormErrors'
import { REPLAY_LIMIT_MB } from './fileRules'
import { ImageDrop } from './ImageDrop'
import { MedalEntry } from './MedalEntry'
import { existingId, fromServer, type SubmitProblem } from './problems'
import { defaultEntries, isAuthor, mapProblems, medalTimes, NO_MEDALS } from './rules'
import { SubmitButton } from './SubmitButton'
import { TagsEntry } from './TagsEntry'
import { useReplayFile } from './useReplayFile'
import { useSubmission } from './useSubmission'

const DESCRIPTION_LIMIT = 2000

// MapForm hands in a map. Its medal times are shown to the map's author alone.
export function MapForm() {
  const user = useSession()
  const navigate = useNavigate()
  const [submitMap] = useSubmitMapMutation()
  const [image, setImage] = useState<File | null>(null)
  const [description, setDescription] = useState('')
  const [tags, setTags] = useState<string[]>([])
  const [medals, setMedals] = useState(NO_MEDALS)
  const chosen = useReplayFile(REPLAY_LIMIT_MB.map, (read) => setMedals(defaultEntries(read)))
  const { file, replay } = chosen
  const byAuthor = isAuthor(user, replay)

  const send = async (): Promise<SubmitProblem | null> => {
    if (!file || !image) return null
    const metadata = {
      description,
      tags,
      medalTimes: byAuthor ? medalTimes(medals) : medalTimes(NO_MEDALS),
    }
    try {
      const { data } = await submitMap({
        mapSubmission: { replayFile: file, mapImage: image, metadata: JSON.stringify(metadata) },
      }).unwrap()
      toaster.success({ title: 'Map validated successfully!' })
      navigate(`/leaderboard/${data._id}`)
      return null
    } catch (problem) {
      const existing = existingId(problem, 'map_exists')
      return {
        ...fromServer(problem, 'Failed to submit map for validation'),
        ...(existing && {
          existing: { to: `/leaderboard/${existing}`, label: 'See the map that exists already' },
        }),
      }
    }
  }

  const { submit, sending, problem } = useSubmission({
    check: (submitter) => mapProblems({ user: submitter, replay, image, medals }),
    send,
  })

  return (
    <form
      noValidate
      aria-label="Map submission"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Stack gap="6">
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
            onChange={(event) => setDescription(event.target.value)}
          />
          <Field.HelperText>
            {description.length} of {DESCRIPTION_LIMIT} letters
          </Field.HelperText>
        </Field.Root>
        <TagsEntry tags={tags} disabled={sending} onTags={setTags} />
        {byAuthor && (
          <MedalEntry medals={medals} disabled={sending} checked={problem !== null} onMedals={setMedals} />
        )}
        <FormErrors problem={problem} />
        <SubmitButton endpoint="submitMap" sending={sending}>
          Submit for Validation
        </SubmitButton>
      </Stack>
    </form>
  )
}
