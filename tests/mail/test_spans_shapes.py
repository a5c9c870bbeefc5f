"""Quotations, forwarded mails and signatures as mail programs write them, in many languages."""

from __future__ import annotations

import pytest

from mentionable import TextPart
from mentionable.mail import spans

BOB = "Bob Berg <bob@b.example>"

ATTRIBUTIONS = {
    "gmail ar": f"في الاثنين، 6 مايو 2024 في 10:00 ص تمت كتابة ما يلي بواسطة {BOB}:",
    "gmail bn": f"সোম, 6 মে, 2024 তারিখে 10:00 AM টায় তারিখে {BOB} লিখেছেন:",
    "gmail cs": f"po 6. 5. 2024 v 10:00 odesílatel {BOB} napsal:",
    "gmail da": f"Den man. 6. maj 2024 kl. 10.00 skrev {BOB}:",
    "gmail de": f"Am Mo., 6. Mai 2024 um 10:00 Uhr schrieb {BOB}:",
    "gmail el": f"Στις Δευ 6 Μαΐ 2024 στις 10:00 π.μ., ο χρήστης {BOB} έγραψε:",
    "gmail en": f"On Mon, May 6, 2024 at 10:00 AM {BOB} wrote:",
    "gmail en, folded": "On Mon, May 6, 2024 at 10:00 AM Bob Berg <bob@b.example>\nwrote:",
    "gmail en, folded twice": "On Mon, May 6, 2024 at 10:00 AM Bob Berg\n<bob-with-a-name@b.example>\nwrote:",
    "gmail es": "El lun, 6 may 2024 a las 10:00, Bob Berg (<bob@b.example>) escribió:",
    "gmail fa": f"در تاریخ دوشنبه 6 مهٔ 2024 ،10:00 {BOB} نوشت:",
    "gmail fi": "ma 6. toukok. 2024 klo 10.00 Bob Berg (bob@b.example) kirjoitti:",
    "gmail fr": f"Le lun. 6 mai 2024 à 10:00, {BOB} a écrit :",
    "gmail he": "‫בתאריך יום ב׳, 6 במאי 2024 ב-10:00 מאת ‪Bob Berg‬‏ <‪bob@b.example‬‏>:‬",
    "gmail hi": f"सोम, 6 मई 2024 को 10:00 am बजे को {BOB} ने लिखा:",
    "gmail hu": f"{BOB} ezt írta (időpont: 2024. máj. 6., H, 10:00):",
    "gmail id": f"Pada tanggal Sen, 6 Mei 2024 pukul 10.00 {BOB} menulis:",
    "gmail it": "Il giorno lun 6 mag 2024 alle ore 10:00 Bob Berg <bob@b.example> ha\nscritto:",
    "gmail ja": f"2024年5月6日(月) 10:00 {BOB}:",
    "gmail ko": f"2024년 5월 6일 (월) 오전 10:00, {BOB}님이 작성:",
    "gmail nl": f"Op ma 6 mei 2024 om 10:00 schreef {BOB}:",
    "gmail pl": f"pon., 6 maj 2024 o 10:00 {BOB} napisał(a):",
    "gmail pt": f"Em seg., 6 de mai. de 2024 às 10:00, {BOB}\nescreveu:",
    "gmail ro": f"În lun., 6 mai 2024 la 10:00, {BOB} a scris:",
    "gmail ru": f"пн, 6 мая 2024 г. в 10:00, {BOB}:",
    "gmail sv": f"Den mån 6 maj 2024 kl 10:00 skrev {BOB}:",
    "gmail th": f"ในวันที่ จ. 6 พ.ค. 2024 เวลา 10:00 {BOB} เขียนว่า:",
    "gmail tr": f"{BOB}, 6 May 2024 Pzt, 10:00 tarihinde şunu yazdı:",
    "gmail uk": f"пн, 6 трав. 2024 р. о 10:00 {BOB} пише:",
    "gmail ur": f"پیر، 6 مئی، 2024 کو 10:00 AM کو {BOB} نے لکھا:",
    "gmail vi": f"Vào Th 2, 6 thg 5, 2024 vào lúc 10:00 {BOB} đã viết:",
    "gmail zh-CN": f"{BOB} 于2024年5月6日周一 10:00写道：",
    "gmail zh-TW": f"{BOB} 於 2024年5月6日 週一 上午10:00寫道：",
    "apple ar": f"في ٦ مايو ٢٠٢٤، الساعة ١٠:٠٠ ص، كتب {BOB}:",
    "apple de": f"Am 06.05.2024 um 10:00 schrieb {BOB}:",
    "apple en": f"On May 6, 2024, at 10:00 AM, {BOB} wrote:",
    "apple fr": f"Le 6 mai 2024 à 10:00, {BOB} a écrit :",
    "apple he": f"ב-6 במאי 2024, בשעה 10:00, {BOB} כתב/ה:",
    "apple ja": f"2024/05/06 10:00、{BOB}のメール:",
    "apple ko": f"2024. 5. 6. 오전 10:00, {BOB} 작성:",
    "apple ru": f"6 мая 2024 г., в 10:00, {BOB} написал(а):",
    "apple tr": f"{BOB} şunları yazdı (6 May 2024 10:00):",
    "apple zh-CN": f"2024年5月6日 10:00，{BOB} 写道：",
    "thunderbird cs": "Dne 06. 05. 24 v 10:00 Bob Berg napsal(a):",
    "thunderbird de": "Am 06.05.24 um 10:00 schrieb Bob Berg:",
    "thunderbird en": "On 5/6/24 10:00, Bob Berg wrote:",
    "thunderbird es": "El 6/5/24 a las 10:00, Bob Berg escribió:",
    "thunderbird fr": "Le 06/05/2024 à 10:00, Bob Berg a écrit :",
    "thunderbird it": "Il 06/05/24 10:00, Bob Berg ha scritto:",
    "thunderbird ko": "2024-05-06 오전 10:00에 Bob Berg 이(가) 쓴 글:",
    "thunderbird nl": "Op 06-05-2024 om 10:00 schreef Bob Berg:",
    "thunderbird pl": "W dniu 06.05.2024 o 10:00, Bob Berg pisze:",
    "thunderbird pt": "Em 06/05/2024 10:00, Bob Berg escreveu:",
    "thunderbird ru": "06.05.2024 10:00, Bob Berg пишет:",
    "thunderbird sv": "Den 2024-05-06 kl. 10:00, skrev Bob Berg:",
    "thunderbird tr": "6.05.2024 10:00 tarihinde Bob Berg yazdı:",
    "thunderbird uk": "06.05.24 10:00, Bob Berg пише:",
    "thunderbird zh-CN": "在 2024/5/6 10:00, Bob Berg 写道:",
    "thunderbird zh-TW": "Bob Berg 於 2024/5/6 上午 10:00 寫道:",
    "a name": "Bob Berg wrote:",
    "a name in German": "Bob Berg schrieb:",
    "a name, folded": "On Mon, 6 May 2024 10:00:00 +0200\nBob Berg wrote:",
    "a day without a year": "On Nov 16 Bob Berg wrote:",
    "sup": "Excerpts from Bob Berg's message of Thu Nov 26 09:17:15 +0100 2009:",
    "yahoo of before": f"--- On Wed, 4/4/12, {BOB} wrote:",
    "mutt": "On Mon, May 06, 2024 at 10:00:00AM +0200, Bob Berg wrote:",
    "gnus": f"{BOB} writes:",
    "tuta in German": "23. Nov. 2026, 10:15 von bob@b.example:",
    "tuta": "23 Nov 2026, 10:15 by bob@b.example:",
    "mail.ru": "Понедельник, 23 ноября 2026, 10:15 +03:00 от Bob <bob@b.example>:",
    "horde in German": "Zitat von Bob <bob@b.example>:",
    "horde": "Quoting Bob <bob@b.example>:",
    "thunderbird ja": "(2026/11/23 10:15), Bob wrote:",
    "mutt, a line of a list": "* Bob <bob@b.example> [2026-11-23 10:15]:",
    "wanderlust": "At Sun, 14 Nov 2010 19:05:02 -0800,\nBob Berg wrote:",
    "proton of telephones": "-------- Original Message --------\nOn 23 Nov 2026, 10:15, Bob < bob@b.example> wrote:",
    "zoho": f"---- On Mon, 06 May 2024 10:00:00 +0200 {BOB} wrote ---",
}

FIELDS = {
    "ar": ("من", "تاريخ الإرسال", "إلى", "الموضوع"),
    "bn": ("থেকে", "পাঠানো হয়েছে", "প্রতি", "বিষয়"),
    "cs": ("Od", "Odesláno", "Komu", "Předmět"),
    "da": ("Fra", "Sendt", "Til", "Emne"),
    "de": ("Von", "Gesendet", "An", "Betreff"),
    "en": ("From", "Sent", "To", "Subject"),
    "es": ("De", "Enviado el", "Para", "Asunto"),
    "fa": ("از", "ارسال شده", "به", "موضوع"),
    "fr": ("De ", "Envoyé ", "À ", "Objet "),
    "he": ("מאת", "נשלח", "אל", "נושא"),
    "hi": ("प्रेषक", "भेजा गया", "प्रति", "विषय"),
    "id": ("Dari", "Dikirim", "Kepada", "Subjek"),
    "it": ("Da", "Inviato", "A", "Oggetto"),
    "ja": ("差出人", "送信日時", "宛先", "件名"),
    "ko": ("보낸 사람", "보낸 날짜", "받는 사람", "제목"),
    "nl": ("Van", "Verzonden", "Aan", "Onderwerp"),
    "pl": ("Od", "Wysłano", "Do", "Temat"),
    "pt": ("De", "Enviada em", "Para", "Assunto"),
    "ru": ("От", "Отправлено", "Кому", "Тема"),
    "sv": ("Från", "Skickat", "Till", "Ämne"),
    "tr": ("Gönderen", "Gönderildi", "Kime", "Konu"),
    "uk": ("Від", "Надіслано", "Кому", "Тема"),
    "ur": ("منجانب", "بھیجا گیا", "بنام", "موضوع"),
    "vi": ("Từ", "Đã gửi", "Đến", "Chủ đề"),
    "zh-CN": ("发件人", "发送时间", "收件人", "主题"),
    "zh-TW": ("寄件者", "寄件日期", "收件者", "主旨"),
}

ORIGINAL = (
    "-----Original Message-----", "-----Ursprüngliche Nachricht-----", "-----Message d'origine-----",
    "-----Mensaje original-----", "-----Messaggio originale-----", "-----Mensagem original-----",
    "-----Oorspronkelijk bericht-----", "-----Исходное сообщение-----", "-----原始邮件-----",
    "-----原始郵件-----", "-----元のメッセージ-----", "-----원본 메시지-----", "-----Orijinal Mesaj-----",
    "-----Oryginalna wiadomość-----", "-----Původní zpráva-----", "-----الرسالة الأصلية-----",
    "-----הודעה מקורית-----", "-----Thư gốc-----", "-----Words of no language-----",
    "-------- Original message --------",
)  # fmt: skip

FORWARDED = (
    "---------- Forwarded message ---------", "-------- Forwarded Message --------",
    "-------- Weitergeleitete Nachricht --------", "---------- Message transféré ---------",
    "---------- Mensaje reenviado ---------", "-------- Messaggio Inoltrato --------",
    "---------- Mensagem encaminhada ---------", "-------- Doorgestuurd bericht --------",
    "---------- Переслане повідомлення ---------", "-------- Пересылаемое сообщение --------",
    "-------- 转发的邮件 --------", "---------- 轉寄郵件 ---------", "-------- 転送メッセージ --------",
    "-------- 전달된 메시지 --------", "-------- İletilen İleti --------",
    "-------- Treść przekazanej wiadomości --------", "-------- Přeposlaná zpráva --------",
    "---------- رسالة معاد توجيهها ---------", "---------- הודעה שהועברה ---------", "Begin forwarded message:",
    "Anfang der weitergeleiteten Nachricht:", "Début du message réexpédié :", "Inicio del mensaje reenviado:",
    "Inizio messaggio inoltrato:", "Início da mensagem reencaminhada:", "Begin doorgestuurd bericht:",
    "Начало переадресованного сообщения:", "开始转发的邮件：", "以下是轉寄的郵件：", "転送されたメッセージ:",
    "전달된 메시지:",
)  # fmt: skip

DEVICES = (
    "Sent from my iPhone", "Sent from Mail for Windows", "Sent from Yahoo Mail on Android",
    "Sent from my Galaxy", "Get Outlook for iOS<https://aka.ms/o0ukef>", "Get Outlook for Android",
    "Sent with Proton Mail secure email", "Von meinem iPhone gesendet", "Gesendet von Outlook für Android",
    "Envoyé de mon iPhone", "Envoyé depuis mon appareil Galaxy", "Enviado desde mi iPhone",
    "Enviado do meu iPhone", "Inviato da iPhone", "Verzonden vanaf mijn iPhone", "Verstuurd vanaf mijn iPhone",
    "Skickat från min iPhone", "Sendt fra min iPhone", "Lähetetty iPhonesta", "Отправлено с iPhone",
    "Надіслано з iPhone", "Wysłane z iPhone'a", "Odesláno z iPhonu", "发自我的 iPhone", "發自我的 iPhone",
    "從我的 iPhone 傳送", "iPhoneから送信", "나의 iPhone에서 보냄", "iPhone'umdan gönderildi",
    "تم الإرسال من الـ iPhone", "أُرسلت من الـ iPhone", "נשלח מה-iPhone שלי", "ارسال شده از iPhone من",
    "मेरे iPhone से भेजा गया", "Gửi từ iPhone của tôi", "Dikirim dari iPhone saya",
)  # fmt: skip


HEADS = {
    "gmx": 'Gesendet: Montag, 23. November 2026 um 10:15 Uhr\nVon: "Bob" <bob@b.example>\nAn: alice@a.example\n'
    "Betreff: Regen",
    "mail.com": 'Sent: Monday, November 23, 2026 at 10:15 AM\nFrom: "Bob" <bob@b.example>\nTo: alice@a.example\n'
    "Subject: Rain",
    "gmx-french": 'Envoyé: lundi 23 novembre 2026 à 10:15\nDe: "Bob" <bob@b.example>\nÀ: alice@a.example\n'
    "Objet: Re: Pluie",
    "date-first": "Date: Mon, 23 Nov 2026 10:15\nFrom: Bob <bob@b.example>\nTo: Alice\nSubject: Rain",
    "yahoo-german": "Am Montag, 23. November 2026 um 10:15:12 MEZ hat Bob <bob@b.example> Folgendes geschrieben: ",
    "dutch": "Op 23 nov. 2026, om 10:15 heeft Bob <bob@b.example> het volgende geschreven:",
    "proton-mobile": "-------- Original Message --------\nOn 23 Nov 2026, 10:15, Bob < bob@b.example> wrote:",
    "android-german": "-------- Ursprüngliche Nachricht --------\nAm 23.11.26 10:15 schrieb Bob < bob@b.example >:",
}
"""What programs write above the text of an earlier mail that has no marks."""


def pieces(content: str, mime: str = "text/plain") -> list[tuple[str, str]]:
    return [(span.kind, content[span.start : span.end]) for span in spans(TextPart(content=content, mime=mime))]


def html_of(text: str) -> str:
    lines = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").split("\n")
    return "<br>".join(lines)


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
def test_an_attribution_belongs_to_the_quotation_below_it(attribution):
    assert pieces(f"Yes, I come.\n\n{attribution}\n\n> Will you?\n> Bob\n") == [
        ("new", "Yes, I come.\n\n"),
        ("quoted", f"{attribution}\n\n> Will you?\n> Bob\n"),
    ]


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS)
def test_an_attribution_belongs_to_the_blockquote_below_it(attribution):
    html = f"<div>Yes, I come.</div><div>{html_of(attribution)}</div><blockquote>Will you?</blockquote>"
    assert [kind for kind, _ in pieces(html, "text/html")] == ["new", "quoted"]
    assert pieces(html, "text/html")[0][1] == "<div>Yes, I come.</div>"


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_all_below_the_head_of_an_earlier_mail_is_quoted(head):
    earlier = f"{head}\n\nWill you?\n\nBob\n"
    assert pieces(f"Yes.\n\n{earlier}") == [("new", "Yes.\n\n"), ("quoted", earlier)]
    assert pieces(earlier) == [("quoted" if head.endswith(("geschrieben: ", "geschreven:")) else "forwarded", earlier)]
    html = f"<div>Yes.</div><br><div>{html_of(earlier)}</div>"
    assert [kind for kind, _ in pieces(html, "text/html")] == ["new", "quoted"]


def test_an_answer_below_a_forwarded_quotation_is_new():
    line = "-------- Forwarded Message --------"
    attribution = f"On 6 May 2024 at 10:00, {BOB} wrote:"
    assert pieces(f"{line}\n\n{attribution}\nWill you?\n")[0][0] == "forwarded"
    assert pieces(f"{line}\n{attribution}\n> Will you?\nYes.\n")[-1] == ("new", "Yes.\n")


@pytest.mark.parametrize("language", FIELDS)
def test_all_below_the_fields_of_an_earlier_mail_is_quoted(language):
    sender, sent, to, subject = FIELDS[language]
    earlier = f"{sender}: {BOB}\n{sent}: 06.05.2024 10:00\n{to}: Alice\n{subject}: Re: Party\n\nWill you?\n\nBob\n"
    for rule in ("", "________________________________\n"):
        assert pieces(f"Yes.\n\n{rule}{earlier}") == [("new", "Yes.\n\n"), ("quoted", rule + earlier)]
        assert pieces(f"\n{rule}{earlier}") == [("forwarded", f"\n{rule}{earlier}")]


@pytest.mark.parametrize("line", ORIGINAL)
def test_all_below_the_line_above_an_earlier_mail_is_quoted(line):
    earlier = f"{line}\nFrom: {BOB}\nSent: Monday, May 6, 2024 10:00 AM\nTo: Alice\nSubject: Party\n\nWill you?\n"
    assert pieces(f"Yes.\n\n{earlier}") == [("new", "Yes.\n\n"), ("quoted", earlier)]


@pytest.mark.parametrize("line", FORWARDED)
def test_all_below_the_line_above_a_forwarded_mail_is_forwarded(line):
    mail = f"{line}\n\nFrom: {BOB}\nDate: Mon, May 6, 2024 at 10:00\nSubject: Party\n\nWill you?\n"
    assert pieces(f"See below.\n\n{mail}") == [("new", "See below.\n\n"), ("forwarded", mail)]
    assert pieces(mail) == [("forwarded", mail)]


@pytest.mark.parametrize("line", FORWARDED)
def test_a_forwarded_mail_may_be_a_quotation(line):
    mail = f"{line}\n\n> From: {BOB}\n> Subject: Party\n>\n> Will you?\n"
    assert pieces(f"See below.\n\n{mail}") == [("new", "See below.\n\n"), ("forwarded", mail)]


@pytest.mark.parametrize("line", DEVICES)
def test_the_line_of_a_telephone_is_a_signature(line):
    assert pieces(f"Yes.\n\n{line}\n") == [("new", "Yes.\n\n"), ("signature", f"{line}\n")]
    quoted = f"On 6 May 2024, {BOB} wrote:\n> Will you?\n"
    assert pieces(f"Yes.\n\n{line}\n\n{quoted}") == [
        ("new", "Yes.\n\n"),
        ("signature", f"{line}\n\n"),
        ("quoted", quoted),
    ]
