import * as v from 'valibot'

/** The rule of a choice that has to be made; '' is none. */
export const chosen = <Choice extends string>(message: string) =>
  v.pipe(
    v.custom<Choice | ''>(() => true),
    v.check((choice) => choice !== '', message),
    v.transform((choice) => choice as Choice),
  )

/** The draft of a form of which one text is kept. */
export const textDraft = v.object({ text: v.string() })
