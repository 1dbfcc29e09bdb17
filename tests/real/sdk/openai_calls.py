import openai
from concurrent.futures import ThreadPoolExecutor
from pydantic import BaseModel

from cases import URL, case, each, main, raises, same

client = openai.OpenAI(base_url=f"{URL}/v1", api_key="any", max_retries=0, timeout=20)
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}}
CHAT_TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": PARAMETERS}}
TOOL = {"type": "function", "name": "get_weather", "parameters": PARAMETERS}


class Person(BaseModel):
    name: str
    age: int


def chat(prompt, client=client, **more):
    messages = prompt if isinstance(prompt, list) else [{"role": "user", "content": prompt}]
    return client.chat.completions.create(**{"model": "gpt-x", "messages": messages, **more})


def chat_stream(prompt, **more):
    messages = prompt if isinstance(prompt, list) else [{"role": "user", "content": prompt}]
    options = {"model": "gpt-x", "messages": messages, "stream_options": {"include_usage": True}, **more}
    with client.chat.completions.stream(**options) as events:
        return events.get_final_completion()


CHAT = {"create": chat, "stream": chat_stream}


def respond(prompt, client=client, **more):
    return client.responses.create(**{"model": "gpt-x", "input": prompt, **more})


def respond_stream(prompt, **more):
    with client.responses.stream(**{"model": "gpt-x", "input": prompt, **more}) as events:
        return events.get_final_response()


RESPONSES = {"create": respond, "stream": respond_stream}


def said(completion):
    return completion.choices[0].message.content


@each(*CHAT)
def chat_says(way):
    completion = CHAT[way]("hello")
    same((said(completion), completion.choices[0].finish_reason), ("Hi there.", "stop"))


@each(*CHAT)
def chat_system_prompt(way):
    same(said(CHAT[way]([{"role": "system", "content": "a pirate"}, {"role": "user", "content": "who are you"}])), "Arrr.")


@each(*CHAT)
def chat_developer_prompt(way):
    messages = [{"role": "developer", "content": "a pirate"}, {"role": "user", "content": "who are you"}]
    same(said(CHAT[way](messages)), "Arrr.")


@each(*CHAT)
def chat_turns(way):
    messages, answers = [], []
    for prompt in ["login", "ann chat " + way, "1234"]:
        messages.append({"role": "user", "content": prompt})
        answers.append(said(CHAT[way](messages)))
        messages.append({"role": "assistant", "content": answers[-1]})
    same(answers, ["Name?", "Password?", "Welcome."])


def chat_tools(prompt, way):
    import json

    messages, asked = [{"role": "user", "content": prompt}], []
    for _ in range(5):
        message = CHAT[way](messages, tools=[CHAT_TOOL]).choices[0].message
        calls = message.tool_calls or []
        asked.append([json.loads(call.function.arguments)["city"] for call in calls])
        if not calls:
            return asked, message.content
        messages.append(message.model_dump(exclude_none=True, exclude={"parsed"}))
        messages += [{"role": "tool", "tool_call_id": call.id, "content": "3 degrees"} for call in calls]


@each(*CHAT)
def chat_one_tool(way):
    same(chat_tools("weather", way), ([["Oslo"], []], "It is cold."))


@each(*CHAT)
def chat_parallel_tools(way):
    same(chat_tools("compare", way), ([["Oslo", "Rome"], []], "Rome is warmer."))


@case
def chat_parallel_tools_switched_off():
    same(len(chat("compare", tools=[CHAT_TOOL], parallel_tool_calls=False).choices[0].message.tool_calls), 1)


@each(*CHAT)
def chat_usage(way):
    used = CHAT[way]("count").usage
    same((used.prompt_tokens, used.completion_tokens, used.total_tokens), (11, 7, 18))


@case
def chat_streams_no_usage_unless_asked():
    chunks = list(chat("count", stream=True))
    same([chunk.usage for chunk in chunks if chunk.usage is not None], [])


@case
def chat_finish_reasons():
    same(chat("long").choices[0].finish_reason, "length")
    same(chat("forbidden words").choices[0].finish_reason, "content_filter")


@case
def chat_parse_notices_that_the_answer_is_too_long():
    messages = [{"role": "user", "content": "long"}]
    raises(
        openai.LengthFinishReasonError,
        lambda: client.chat.completions.parse(model="gpt-x", messages=messages, response_format=Person),
    )


@case
def chat_structured_output():
    completion = client.chat.completions.parse(
        model="gpt-x", messages=[{"role": "user", "content": "as json"}], response_format=Person
    )
    same(completion.choices[0].message.parsed, Person(name="Ada", age=36))


@case
def chat_json_mode():
    same(said(chat("as json", response_format={"type": "json_object"})), '{"name": "Ada", "age": 36}')


@case
def chat_picture():
    content = [
        {"type": "text", "text": "what is in the picture"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
    ]
    same(said(chat([{"role": "user", "content": content}])), "A cat.")


@each(*CHAT)
def chat_unicode(way):
    same(said(CHAT[way]("unicode")), "Grüße — 🦀 日本")


ERRORS = {
    "401": openai.AuthenticationError,
    "403": openai.PermissionDeniedError,
    "404": openai.NotFoundError,
    "413": openai.APIStatusError,
    "422": openai.UnprocessableEntityError,
    "429": openai.RateLimitError,
    "500": openai.InternalServerError,
    "529": openai.InternalServerError,
}


@each(*ERRORS)
def chat_errors(status):
    error = raises(ERRORS[status], lambda: chat(f"error {status}"))
    same(error.status_code, int(status))


@each(*ERRORS)
def responses_errors(status):
    same(raises(ERRORS[status], lambda: respond(f"error {status}")).status_code, int(status))


@case
def out_of_credits():
    for ask in (chat, respond):
        same(raises(openai.RateLimitError, lambda: ask("no money")).code, "insufficient_quota")


@each("chat", "respond")
def retries(name):
    patient = client.with_options(max_retries=4)
    answer = chat("flaky chat", patient) if name == "chat" else respond("flaky responses", patient)
    same(said(answer) if name == "chat" else answer.output_text, "At last.")


@each("chat", "respond")
def retries_after_a_broken_connection(name):
    patient = client.with_options(max_retries=2)
    ask = {"chat": chat, "respond": respond}[name]
    assert ask("broken connection " + name, patient)


@each("chat", "respond")
def truncated(name):
    ask = {"chat": chat, "respond": respond}[name]
    raises(Exception, lambda: list(ask("cut off", stream=True)))


@each("chat", "respond")
def malformed(name):
    ask = {"chat": chat, "respond": respond}[name]
    raises(Exception, lambda: list(ask("garbage", stream=True)))


@each("chat", "respond")
def timeout(name):
    ask = {"chat": chat, "respond": respond}[name]
    raises(openai.APITimeoutError, lambda: ask("silence", client.with_options(timeout=0.5)))


@case
def models():
    same([model.id for model in client.models.list()], ["scripted"])
    same(client.models.retrieve("gpt-x").id, "gpt-x")


@each(*RESPONSES)
def responses_says(way):
    response = RESPONSES[way]("hello")
    same((response.output_text, response.status), ("Hi there.", "completed"))


@each(*RESPONSES)
def responses_instructions(way):
    same(RESPONSES[way]("who are you", instructions="a pirate").output_text, "Arrr.")


@each(*RESPONSES)
def responses_turns_by_previous_id(way):
    answers, previous = [], None
    for prompt in ["login", "ann responses " + way, "1234"]:
        response = RESPONSES[way](prompt, previous_response_id=previous)
        previous = response.id
        answers.append(response.output_text)
    same(answers, ["Name?", "Password?", "Welcome."])


@case
def responses_turns_by_history():
    items, answers = [], []
    for prompt in ["login", "ann history", "1234"]:
        items.append({"role": "user", "content": prompt})
        response = respond(items)
        items += response.output
        answers.append(response.output_text)
    same(answers, ["Name?", "Password?", "Welcome."])


def responses_tools(prompt, way, kept):
    import json

    items, asked, previous = [{"role": "user", "content": prompt}], [], None
    for _ in range(5):
        more = {"previous_response_id": previous} if kept else {}
        response = RESPONSES[way](items, tools=[TOOL], **more)
        calls = [item for item in response.output if item.type == "function_call"]
        asked.append([json.loads(call.arguments)["city"] for call in calls])
        if not calls:
            return asked, response.output_text
        results = [{"type": "function_call_output", "call_id": call.call_id, "output": "3"} for call in calls]
        previous = response.id
        items = results if kept else [*items, *response.output, *results]


@each(*RESPONSES)
def responses_one_tool(way):
    same(responses_tools("weather", way, False), ([["Oslo"], []], "It is cold."))


@each(*RESPONSES)
def responses_parallel_tools(way):
    same(responses_tools("compare", way, False), ([["Oslo", "Rome"], []], "Rome is warmer."))


@each(*RESPONSES)
def responses_tools_by_previous_id(way):
    same(responses_tools("compare", way, True), ([["Oslo", "Rome"], []], "Rome is warmer."))


@each(*RESPONSES)
def responses_reasoning(way):
    response = RESPONSES[way]("ponder", reasoning={"summary": "auto"})
    same([item.type for item in response.output], ["reasoning", "message"])
    same(response.output[0].summary[0].text, "Step by step.")


@each(*RESPONSES)
def responses_usage(way):
    used = RESPONSES[way]("count").usage
    same((used.input_tokens, used.output_tokens, used.total_tokens), (11, 7, 18))


@case
def responses_incomplete():
    response = respond("long")
    same((response.status, response.incomplete_details.reason), ("incomplete", "max_output_tokens"))
    events = [event.type for event in respond("long", stream=True)]
    same(events[-1], "response.incomplete")


@case
def responses_structured_output():
    response = client.responses.parse(model="gpt-x", input="as json", text_format=Person)
    same(response.output_parsed, Person(name="Ada", age=36))


@case
def responses_unknown_previous_id():
    error = raises(openai.BadRequestError, lambda: respond("hello", previous_response_id="resp_none"))
    same(error.code, "previous_response_not_found")


@case
def responses_picture():
    content = [
        {"type": "input_text", "text": "what is in the picture"},
        {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="},
    ]
    same(respond([{"role": "user", "content": content}]).output_text, "A cat.")


@case
def many_at_once():
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda number: respond_stream(f"hello {number}").output_text, range(40)))
    same(answers, ["Hi there."] * 40)


@case
def async_client():
    import asyncio

    async def ask():
        async with openai.AsyncOpenAI(base_url=f"{URL}/v1", api_key="any") as client:
            return said(await client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hello"}]))

    same(asyncio.run(ask()), "Hi there.")


main()
